import { useId } from 'react'
import styles from './switch.module.css'

interface Props {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabled?: boolean
  /** Where a column says what it is. */
  isLabelHidden?: boolean
}

export function Switch({ label, isOn, onChange, disabled = false, isLabelHidden = false }: Props) {
  const id = useId()
  return (
    <div className={styles.row}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={isOn}
        aria-checked={isOn}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </div>
  )
}
