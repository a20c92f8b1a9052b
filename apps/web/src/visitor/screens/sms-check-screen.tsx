import { sendOtp, timings, toLatinDigits } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { useBrand } from '../../lib/brand.ts'
import { ownOrigin } from '../../lib/config.ts'
import { brokenRules } from '../../lib/form.ts'
import { notify } from '../../lib/notices.ts'
import { paths } from '../../lib/paths.ts'
import { openSession } from '../../lib/session.ts'
import { useLater } from '../../lib/use-later.ts'
import { LinkButton } from '../../ui/button.tsx'
import styles from '../../ui/panel.module.css'
import { shapes } from '../../ui/shapes.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CodeForm } from '../auth/sms/code/code-form.tsx'

export function SmsCheckScreen() {
  const { t } = useTranslation('visitor')
  const navigate = useNavigate()
  const later = useLater()
  const config = useBrand()
  const mobile = toLatinDigits(useParams().phone ?? '')
  const isPhone = Object.keys(brokenRules(sendOtp, { mobile })).length === 0
  if (config === ownOrigin) return <Skeleton />
  return (
    <div className={styles.panel}>
      <h1>{t('sms.title')}</h1>
      {config.smsEnabled && isPhone ? (
        <>
          <p>
            {t('sms.text')} <bdi dir="ltr">{mobile}</bdi>
          </p>
          <CodeForm
            mobile={mobile}
            onSignedIn={(secret) => {
              openSession(secret)
              notify(t('auth.signedIn'), 'success')
              later(() => void navigate(paths.dashboard), timings.afterSmsCheckMs)
            }}
          />
        </>
      ) : (
        <>
          <p>{t(config.smsEnabled ? 'sms.badPhone' : 'sms.off')}</p>
          <LinkButton icon={shapes.signIn} to={paths.signIn}>
            {t('sms.byPassword')}
          </LinkButton>
        </>
      )}
    </div>
  )
}
