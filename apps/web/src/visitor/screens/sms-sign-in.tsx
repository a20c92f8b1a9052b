import { useNavigate } from 'react-router'
import { smsCheckPath } from '../../lib/paths.ts'
import styles from '../../ui/panel.module.css'
import { PhoneForm } from '../auth/sms/phone-form.tsx'

export function SmsSignIn() {
  const navigate = useNavigate()
  return (
    <div className={styles.panel}>
      <PhoneForm onPhone={(mobile) => void navigate(smsCheckPath(mobile))} />
    </div>
  )
}
