import type { HostHealth, HostState } from '@kelid/contract'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Mark } from '../../kit/mark.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import type { Host } from './host.ts'
import styles from './marks.module.css'

type Look = Omit<ComponentProps<typeof Mark>, 'children'>

const stateLooks: Record<HostState, Look> = {
  queued: { is: 'quiet', icon: adminShapes.clock },
  provisioning: { is: 'quiet', icon: adminShapes.renew },
  ready: { is: 'good', icon: adminShapes.done },
  failed: { is: 'bad', icon: adminShapes.alert },
}

const healthLooks: Record<HostHealth, Look> = {
  up: { is: 'good', icon: adminShapes.check },
  down: { is: 'bad', icon: adminShapes.close },
  unknown: { is: 'quiet', icon: adminShapes.clock },
}

export function StateMark({ host }: { host: Pick<Host, 'state' | 'isPaused'> }) {
  const { t } = useTranslation('admin')
  return (
    <span className={styles.marks}>
      <Mark {...stateLooks[host.state]}>{t(`hosts.states.${host.state}`)}</Mark>
      {host.isPaused && (
        <Mark is="quiet" icon={adminShapes.pause}>
          {t('hosts.paused')}
        </Mark>
      )}
    </span>
  )
}

export function HealthMark({ health }: { health: HostHealth }) {
  const { t } = useTranslation('admin')
  return <Mark {...healthLooks[health]}>{t(`hosts.healths.${health}`)}</Mark>
}
