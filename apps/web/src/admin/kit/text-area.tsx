import { type TextareaHTMLAttributes, useId } from 'react'
import field from '../../ui/field.module.css'
import styles from './text-area.module.css'

type Props = {
  label: string
  value: string
  onValue: (value: string) => void
  error?: string | undefined
  hint?: string
  isLatin?: boolean
} & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange' | 'className' | 'maxLength'>

export function TextArea({ label, value, onValue, error, hint, isLatin = false, ...rest }: Props) {
  const id = useId()
  return (
    <div className={field.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={`${field.input} ${styles.area}`}
        rows={4}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        aria-describedby={`${id}-note`}
        aria-invalid={error !== undefined}
        dir={isLatin ? 'ltr' : 'auto'}
        {...rest}
      />
      <p id={`${id}-note`} className={error ? field.error : field.hint}>
        {error ?? hint}
      </p>
    </div>
  )
}
