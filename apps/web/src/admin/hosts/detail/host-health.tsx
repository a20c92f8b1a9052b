import { useTranslation } from 'react-i18next'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { When } from '../../../shared/when.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Section } from '../../kit/section.tsx'
import type { Host } from '../host/host.ts'
import { type HostHealth as Health, kinds } from '../host/kinds.ts'
import { useAsk } from '../host/question.ts'
import { HealthHistory } from './health-history.tsx'

/** Whether customers get through, by the host's own agent and by a try from outside, and since when. */
export function HostHealth({ host: { kind, uuid } }: { host: Host }) {
  const { t } = useTranslation('admin')
  const health = useAsk(kinds[kind].health, { uuid })
  return (
    <Section title={t('hosts.health')}>
      {health.isPending && <Loading mode="skeleton" />}
      {health.error && !health.data && <ReadFailed text={t('health.failed')} onRetry={health.refetch} />}
      {health.data && (
        <>
          <Findings health={health.data} isServer={kind === 'server'} />
          <HealthHistory changes={health.data.changes} />
        </>
      )}
    </Section>
  )
}

function Findings({ health, isServer }: { health: Health; isServer: boolean }) {
  const { t } = useTranslation('admin')
  const { probeOutcome, probeDetail, probeDate, certificateIssuer, certificateUntilDate } = health
  return (
    <Facts
      facts={[
        [t('health.because'), t(`health.reasons.${health.reason}`)],
        [
          t('health.probe'),
          probeOutcome ? t(`health.outcomes.${probeOutcome}`) : t('health.outcomes.NEVER_TRIED'),
        ],
        [t('health.said'), probeDetail && <Latin key="said">{probeDetail}</Latin>],
        [t('health.probed'), probeDate && <When key="probed" date={probeDate} />],
        [
          t('health.certificate'),
          isServer ? (
            <Certificate key="certificate" issuer={certificateIssuer} until={certificateUntilDate} />
          ) : null,
        ],
      ]}
    />
  )
}

function Certificate({ issuer, until }: { issuer: string; until: string | null }) {
  const { t } = useTranslation('admin')
  if (until === null) return t('health.noCertificate')
  return (
    <>
      <Latin>{issuer}</Latin> <When date={until} sentence={(when) => t('health.until', { when })} />
    </>
  )
}
