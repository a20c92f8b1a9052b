import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button.tsx'
import styles from './field.module.css'
import { shapes } from './shapes.ts'

interface Frame {
  label: string
  error?: string | undefined
  hint?: ReactNode
}

const Framed = ({
  label,
  error,
  hint,
  children,
}: Frame & { children: (ids: { id: string; describedBy: string }) => ReactNode }) => {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, describedBy: `${id}-note` })}
      <p id={`${id}-note`} className={error ? styles.error : styles.hint}>
        {error ?? hint}
      </p>
    </div>
  )
}

type TextProps = Frame & {
  value: string
  onValue: (value: string) => void
  isLatin?: boolean
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className' | 'maxLength'>

/** No maxLength: pasted text is never cut, but refused with a reason. */
export const TextField = ({ label, error, hint, value, onValue, isLatin = false, ...rest }: TextProps) => (
  <Framed label={label} error={error} hint={hint}>
    {({ id, describedBy }) => (
      <input
        id={id}
        className={styles.input}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        aria-describedby={describedBy}
        aria-invalid={error !== undefined}
        dir={isLatin ? 'ltr' : undefined}
        {...rest}
      />
    )}
  </Framed>
)

export function PasswordField({ label, error, hint, value, onValue, ...rest }: TextProps) {
  const { t } = useTranslation()
  const [isVisible, setVisible] = useState(false)
  return (
    <Framed label={label} error={error} hint={hint}>
      {({ id, describedBy }) => (
        <span className={styles.password}>
          <input
            id={id}
            className={styles.input}
            type={isVisible ? 'text' : 'password'}
            dir="ltr"
            value={value}
            onChange={(event) => onValue(event.target.value)}
            aria-describedby={describedBy}
            aria-invalid={error !== undefined}
            {...rest}
          />
          <IconButton
            icon={isVisible ? shapes.eyeOff : shapes.eye}
            label={t(isVisible ? 'ui.hidePassword' : 'ui.showPassword')}
            onClick={() => setVisible(!isVisible)}
          />
        </span>
      )}
    </Framed>
  )
}

type SelectProps<Value extends string> = Frame & {
  value: Value
  onValue: (value: Value) => void
  options: readonly { value: Value; label: string }[]
} & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange' | 'className'>

export const SelectField = <Value extends string>({
  label,
  error,
  hint,
  value,
  onValue,
  options,
  ...rest
}: SelectProps<Value>) => (
  <Framed label={label} error={error} hint={hint}>
    {({ id, describedBy }) => (
      <select
        id={id}
        className={styles.input}
        value={value}
        onChange={(event) => onValue(event.target.value as Value)}
        aria-describedby={describedBy}
        aria-invalid={error !== undefined}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Framed>
)
