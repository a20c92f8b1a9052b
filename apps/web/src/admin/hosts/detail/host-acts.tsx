import { cancelHostRun, getHostHealth, removeHost } from '@kelid/contract'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useRead } from '../../../shared/reads/query.ts'
import { ReasonField } from '../../kit/reason-field.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { type Host, isBeingSetUp } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import { ActButton } from './act-button.tsx'
import styles from './detail.module.css'
import { HostActDialog } from './host-act-dialog.tsx'
import { MoveAccounts } from './move-accounts.tsx'
import { Pause } from './pause.tsx'

interface Props {
  host: Host
  onRemoved: () => void
  edit: (close: () => void) => ReactNode
  children: ReactNode
}

export function HostActs({ host, onRemoved, edit, children }: Props) {
  const { t } = useTranslation('admin')
  const { provision, target } = kinds[host.kind]
  // A host in service keeps its state while a run is under way.
  const health = useRead(getHostHealth, { hostUUID: host.uuid })
  return (
    <div className={styles.acts}>
      <Pause host={host} />
      <ActButton label={t('hosts.edit.action')} icon={adminShapes.edit} dialog={edit} />
      <ActButton
        label={t('hosts.provision.action')}
        icon={adminShapes.renew}
        dialog={(close) => (
          <HostActDialog
            act="hosts.provision"
            host={host}
            call={provision}
            body={target(host.uuid)}
            onClose={close}
          >
            <p>{t('hosts.provision.text')}</p>
          </HostActDialog>
        )}
      />
      {(isBeingSetUp(host) || health.data?.openRun) && (
        <ActButton
          label={t('hosts.cancel.action')}
          icon={adminShapes.ban}
          dialog={(close) => (
            <HostActDialog
              act="hosts.cancel"
              host={host}
              call={cancelHostRun}
              dismiss={t('hosts.cancel.dismiss')}
              kind="danger"
              onClose={close}
            >
              <p>{t('hosts.cancel.text')}</p>
            </HostActDialog>
          )}
        />
      )}
      {(host.state !== 'ready' || health.data?.upkeep) && (
        <ActButton
          label={t('hosts.ready.action')}
          icon={adminShapes.check}
          dialog={(close) => <MarkReady host={host} onClose={close} />}
        />
      )}
      {host.accounts > 0 && (
        <ActButton
          label={t('hosts.move.action')}
          icon={adminShapes.move}
          dialog={(close) => <MoveAccounts host={host} onClose={close} />}
        />
      )}
      {children}
      <ActButton
        label={t('hosts.remove.action')}
        icon={adminShapes.trash}
        kind="danger"
        dialog={(close) => <Remove host={host} onRemoved={onRemoved} onClose={close} />}
      />
    </div>
  )
}

interface DialogProps {
  host: Host
  onClose: () => void
}

function MarkReady({ host, onClose }: DialogProps) {
  const { t } = useTranslation('admin')
  const { setReady, target } = kinds[host.kind]
  const [reason, setReason] = useState('')
  const body = { ...target(host.uuid), reason }
  const rule = brokenRules(setReady, body).reason
  const isReady = rule === undefined
  return (
    <HostActDialog
      act="hosts.ready"
      host={host}
      call={setReady}
      body={body}
      isReady={isReady}
      onClose={onClose}
    >
      <p>{t('hosts.ready.text')}</p>
      <ReasonField value={reason} onValue={setReason} rule={rule} />
    </HostActDialog>
  )
}

function Remove({ host, onRemoved, onClose }: DialogProps & { onRemoved: () => void }) {
  const { t } = useTranslation('admin')
  const shown = formatNumber(host.accounts, useLanguage())
  const isEmpty = host.accounts === 0
  return (
    <HostActDialog
      act="hosts.remove"
      host={host}
      call={removeHost}
      refreshes={[kinds[host.kind].list]}
      kind="danger"
      isReady={isEmpty}
      onDone={onRemoved}
      onClose={onClose}
    >
      {isEmpty ? (
        <p>{t('hosts.remove.text')}</p>
      ) : (
        <Warning>{t('hosts.remove.notEmpty', { count: host.accounts, shown })}</Warning>
      )}
    </HostActDialog>
  )
}
