import { useTranslation } from 'react-i18next'
import { Screen } from '../kit/screen.tsx'
import { CertificatesForm } from '../settings/certificates/certificates-form.tsx'
import { ClientHelloForm } from '../settings/client-hello/client-hello-form.tsx'

export function NetworkScreen() {
  const { t } = useTranslation('admin')
  return (
    <Screen title={t('menu.network')}>
      <CertificatesForm />
      <ClientHelloForm />
    </Screen>
  )
}
