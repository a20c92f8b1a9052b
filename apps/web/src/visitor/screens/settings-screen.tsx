import { useTranslation } from 'react-i18next'
import { paths } from '../../lib/paths.ts'
import { SettingsLayout } from '../../ui/appearance/settings-layout.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { shapes } from '../../ui/shapes.ts'

export function SettingsScreen() {
  const { t } = useTranslation('visitor')
  const account = (
    <>
      <p>{t('settings.signedOut')}</p>
      <div>
        <LinkButton kind="primary" icon={shapes.signIn} to={paths.signIn}>
          {t('auth.signIn')}
        </LinkButton>
      </div>
    </>
  )
  return <SettingsLayout account={account} />
}
