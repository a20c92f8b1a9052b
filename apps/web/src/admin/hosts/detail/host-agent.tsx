import {
  allowShrink,
  type Call,
  clearAbuseBulk,
  getAnyAccounts,
  getDashboard,
  getHostFigures,
  revokeNode,
} from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useRead } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useActOnce } from '../../kit/act-once.ts'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import { ActButton } from './act-button.tsx'
import { HostActDialog } from './host-act-dialog.tsx'
import { HostFigures } from './host-figures.tsx'

export function HostAgent({ host }: { host: Host }) {
  const { t } = useTranslation('admin')
  return (
    <Section
      title={t('agent.title')}
      actions={
        <>
          {host.kind === 'server' && (
            <>
              <ClearAbuse host={host} />
              <ActButton
                label={t('agent.shrink.action')}
                icon={adminShapes.check}
                dialog={(close) => <Decide act="shrink" call={allowShrink} host={host} onClose={close} />}
              />
            </>
          )}
          <ActButton
            label={t('agent.revoke.action')}
            icon={adminShapes.alert}
            kind="danger"
            dialog={(close) => <Decide act="revoke" call={revokeNode} host={host} onClose={close} />}
          />
        </>
      }
    >
      <p>{t('agent.about')}</p>
      <HostFigures hostUUID={host.uuid} />
    </Section>
  )
}

interface DecideProps {
  act: 'shrink' | 'revoke'
  call: Call
  host: Host
  onClose: () => void
}

function Decide({ act, call, host, onClose }: DecideProps) {
  const { t } = useTranslation('admin')
  const refreshes = [...kinds[host.kind].stale, getDashboard]
  return (
    <HostActDialog
      act={`agent.${act}`}
      host={host}
      call={call}
      refreshes={refreshes}
      kind="danger"
      onClose={onClose}
    >
      <Warning>{t(`agent.${act}.text`)}</Warning>
      <p>{t(`agent.${act}.next`)}</p>
    </HostActDialog>
  )
}

function ClearAbuse({ host }: { host: Host }) {
  const { t } = useTranslation('admin')
  const { data } = useRead(getHostFigures, { hostUUID: host.uuid })
  if (!data?.hostAbusedAccounts) return null
  return (
    <ActButton
      label={t('agent.clearAbuse.action')}
      icon={adminShapes.check}
      dialog={(close) => <Dialog host={host} accounts={data.hostAbusedAccounts} onClose={close} />}
    />
  )
}

interface Props {
  host: Host
  accounts: number
  onClose: () => void
}

function Dialog({ host: { uuid: serverUUID, name }, accounts, onClose }: Props) {
  const { t } = useTranslation('admin')
  const once = useActOnce(clearAbuseBulk, [getHostFigures, getAnyAccounts, getDashboard], serverUUID)
  const counted = useCounted()
  return (
    <ActDialog
      title={t('agent.clearAbuse.title', { name })}
      confirm={t('agent.clearAbuse.action')}
      once={once}
      onClose={onClose}
      onConfirm={async () => {
        const { accountsCleared, accountsLeft } = await once.send({ serverUUID })
        const doneText = t('agent.clearAbuse.done', { name, ...counted(accountsCleared) })
        const leftText = accountsLeft > 0 ? ` · ${t('agent.clearAbuse.left', counted(accountsLeft))}` : ''
        notify(doneText + leftText, 'success')
      }}
    >
      <p>{t('agent.clearAbuse.text', counted(accounts))}</p>
      <p>{t('agent.clearAbuse.next')}</p>
    </ActDialog>
  )
}
