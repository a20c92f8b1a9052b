import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { When } from '../../../shared/when.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Section } from '../../kit/section.tsx'
import type { Host } from '../host/host.ts'
import { LoadBar } from '../host/load-bar.tsx'
import { HealthMark, StateMark } from '../host/marks.tsx'
import { QuotaUse, QuotaWarning } from './host-quota.tsx'

export function HostState({ host, children }: { host: Host; children: ReactNode }) {
  const { t } = useTranslation('admin')
  return (
    <Section title={t('hosts.state')}>
      <Facts
        facts={[
          [t('hosts.state'), <StateMark key="state" host={host} />],
          [t('hosts.health'), <HealthMark key="health" health={host.health} />],
          [
            t('hosts.lastSeen'),
            host.lastSeenDate ? <When key="seen" date={host.lastSeenDate} /> : t('hosts.neverSeen'),
          ],
          [t('hosts.places'), <LoadBar key="load" host={host} />],
          [t('hosts.quota.title'), host.quotaMonth && <QuotaUse key="quota" host={host} />],
        ]}
      />
      <QuotaWarning host={host} />
      {children}
    </Section>
  )
}
