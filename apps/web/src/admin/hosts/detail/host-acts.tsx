import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { adminShapes } from '../../kit/shapes.ts'
import { type Host, isBeingSetUp } from '../host/host.ts'
import { ActButton } from './act-button.tsx'
import { CancelRun } from './cancel-run.tsx'
import styles from './detail.module.css'
import { MarkReady } from './mark-ready.tsx'
import { MoveAccounts } from './move-accounts.tsx'
import { Pause } from './pause.tsx'
import { Provision } from './provision.tsx'
import { Remove } from './remove.tsx'

interface Props {
  host: Host
  onRemoved: () => void
  edit: (close: () => void) => ReactNode
  children: ReactNode
}

export function HostActs({ host, onRemoved, edit, children }: Props) {
  const { t } = useTranslation('admin')
  return (
    <div className={styles.acts}>
      <Pause host={host} />
      <ActButton label={t('hosts.edit.action')} icon={adminShapes.edit} dialog={edit} />
      <ActButton
        label={t('hosts.provision.action')}
        icon={adminShapes.renew}
        dialog={(close) => <Provision host={host} onClose={close} />}
      />
      {isBeingSetUp(host) && (
        <ActButton
          label={t('hosts.cancel.action')}
          icon={adminShapes.ban}
          dialog={(close) => <CancelRun host={host} onClose={close} />}
        />
      )}
      {host.state !== 'ready' && (
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
