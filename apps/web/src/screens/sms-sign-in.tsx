import { useNavigate } from 'react-router'
import { PhoneForm } from '../features/sms/phone-form.tsx'
import styles from './panel.module.css'
import { smsCheckPath } from './paths.ts'

/** The other way in, beside the password: a phone number, then the code that is sent to it. */
export function SmsSignIn() {
  const navigate = useNavigate()
  return (
    <div className={styles.panel}>
      <PhoneForm onPhone={(mobile) => void navigate(smsCheckPath(mobile))} />
    </div>
  )
}
