import { acceptHostKey, getHostKey } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { When } from '../../../shared/when.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import { ActButton } from './act-button.tsx'

type Known = Pick<Host, 'kind' | 'uuid' | 'name'>

interface HostKeyProps {
  host: Known
  /** Of a machine; a host's page has it among the details. */
  sshPort?: number | null
}

export function HostKey({ host, sshPort = null }: HostKeyProps) {
  const { t } = useTranslation('admin')
  const key = useRead(getHostKey, { hostUUID: host.uuid })
  const { data } = key
  useReadNotice(key.error, t('hostKey.failed'))
  const fingerprint = data?.hostKeyFingerprint ?? ''
  const facts = [
    ...(sshPort === null ? [] : [[t('servers.sshPort'), <Latin key="port">{sshPort}</Latin>] as const]),
    ...(data && fingerprint
      ? ([
          [t('hostKey.fingerprint'), <Latin key="fingerprint">{fingerprint}</Latin>],
          [t('hostKey.since'), data.hostKeyDate && <When key="since" date={data.hostKeyDate} />],
          [t('servers.sshAccess'), data.hostKeyTrustsProduct ? t('hostKey.trusts') : null],
        ] as const)
      : []),
  ]
  return (
    <Section
      title={t('hostKey.title')}
      actions={
        fingerprint && (
          <ActButton
            label={t('hostKey.action')}
            icon={adminShapes.renew}
            dialog={(close) => <AcceptKey host={host} fingerprint={fingerprint} onClose={close} />}
          />
        )
      }
    >
      {!data && <ReadState read={key} failed={t('hostKey.failed')} size="small" />}
      {data && <p>{t(fingerprint ? 'hostKey.about' : 'hostKey.none')}</p>}
      {facts.length > 0 && <Facts facts={facts} />}
    </Section>
  )
}

interface Props {
  host: Known
  fingerprint: string
  onClose: () => void
}

/** Warns first, because the next host key is trusted without a check. */
function AcceptKey({ host: { kind, uuid, name }, fingerprint, onClose }: Props) {
  const { t } = useTranslation('admin')
  const { mutateAsync } = useAct(acceptHostKey, { refreshes: kinds[kind].stale })
  return (
    <ActDialog
      title={t('hostKey.acceptTitle', { name })}
      confirm={t('hostKey.action')}
      kind="danger"
      onClose={onClose}
      onConfirm={async () => {
        await mutateAsync({ body: { hostUUID: uuid, basedOn: { hostKeyFingerprint: fingerprint } } })
        notify(t('hostKey.done', { name }), 'success')
      }}
    >
      <Warning>{t('hostKey.text')}</Warning>
      <p>
        {t('hostKey.fingerprint')}: <Latin>{fingerprint}</Latin>
      </p>
      <p>{t('hostKey.next')}</p>
    </ActDialog>
  )
}
