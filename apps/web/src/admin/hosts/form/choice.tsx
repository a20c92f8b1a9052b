import { Switch } from '../../../ui/switch.tsx'
import type { BoundField } from '../../kit/bind.ts'
import styles from './form.module.css'

interface Props {
  /** Its value is 'yes' or ''. */
  field: Pick<BoundField, 'value' | 'onValue' | 'disabled'>
  label: string
  hint: string
}

export function Choice({ field, label, hint }: Props) {
  return (
    <div className={styles.choice}>
      <Switch
        label={label}
        isOn={field.value !== ''}
        onChange={(isOn) => field.onValue(isOn ? 'yes' : '')}
        disabled={field.disabled}
      />
      <p>{hint}</p>
    </div>
  )
}
