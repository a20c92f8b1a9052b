import { getSettings, type Settings, setSettings } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useBasis } from '../../kit/basis.ts'
import { Latin } from '../../kit/latin.tsx'
import { Preview } from '../../kit/preview.tsx'

type Certificates = Settings['certificates']

interface Props {
  inForce: Certificates
  edited: Certificates
  read: () => Promise<Certificates>
  onSaved: () => void
  onClose: () => void
}

export function SaveCertificates({ inForce, edited, read, onSaved, onClose }: Props) {
  const { t } = useTranslation('admin/settings')
  const save = useAct(setSettings, { refreshes: [getSettings] })
  const { now, previous, readAgain } = useBasis(inForce, read)
  return (
    <ActDialog
      title={t('network.saveTitle')}
      confirm={t('network.save')}
      onChanged={readAgain}
      onClose={onClose}
      onConfirm={async () => {
        await save.mutateAsync({ body: { certificates: edited, basedOn: { certificates: now } } })
        notify(t('network.saved'), 'success')
        onSaved()
      }}
    >
      <Preview
        previous={previous && <CertificatesSummary certificates={previous} />}
        now={<CertificatesSummary certificates={now} />}
        after={<CertificatesSummary certificates={edited} />}
      />
      <p>{t('network.saveText')}</p>
    </ActDialog>
  )
}

function CertificatesSummary({
  certificates: { source, acmeDirectory, acmeEmail },
}: {
  certificates: Certificates
}) {
  const { t } = useTranslation('admin/settings')
  return (
    <>
      {t(`network.sources.${source}`)}
      {source !== 'own' && (
        <>
          <br />
          <Latin>{acmeDirectory}</Latin>
          <br />
          {t('network.acmeEmail')}: {acmeEmail ? <Latin>{acmeEmail}</Latin> : t('network.none')}
        </>
      )}
    </>
  )
}
