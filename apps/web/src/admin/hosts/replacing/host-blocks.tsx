import { type Answer, endBlock, getReplacement, type HostBlock } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Section } from '../../kit/section.tsx'
import { useLiveReads } from '../../kit/use-live-reads.ts'
import { HostDialog } from '../detail/host-act-dialog.tsx'
import type { Host } from '../host/host.ts'
import { isAboutHost } from '../host/host-event.ts'
import styles from './replacing.module.css'
import { nameOfTarget } from './target.ts'

const calls = [getReplacement]

/** Customers for whom the host is blocked, and accounts that get other hosts at the moment. */
export function HostBlocks({ host }: { host: Host }) {
  const { t } = useTranslation('admin')
  const { data } = useRead(getReplacement, { hostUUID: host.uuid })
  useLiveReads(calls, (event) => isAboutHost(event, host.kind, host.uuid))
  const [ending, setEnding] = useState<HostBlock | null>(null)
  const { blocks = [], latest, latestOfBlocks } = data ?? {}
  const isReplaced = latest?.finishedDate === null
  if (blocks.length === 0 && !isReplaced) return null
  return (
    <Section title={t('replacing.section')}>
      {isReplaced && <Progress replacement={latest} left={data?.ways} />}
      {blocks.length > 0 && (
        <ul className={styles.blocks}>
          {blocks.map((block) => (
            <li key={nameOfTarget(block)}>
              <span>
                {t(block.alsoUnstated ? 'replacing.blockedAlsoUnstated' : 'replacing.blockedFor', {
                  name: `\u2068${nameOfTarget(block)}\u2069`,
                })}
                {' · '}
                <When
                  date={block.sinceDate}
                  sentence={(when) => t('replacing.by', { when, email: `\u2068${block.blockedBy}\u2069` })}
                />
              </span>
              <Button onClick={() => setEnding(block)}>{t('replacing.end.action')}</Button>
            </li>
          ))}
        </ul>
      )}
      {blocks.length > 0 && latestOfBlocks?.finishedDate === null && (
        <Progress replacement={latestOfBlocks} />
      )}
      {ending && <End host={host} block={ending} onClose={() => setEnding(null)} />}
    </Section>
  )
}

type Latest = NonNullable<Answer<typeof getReplacement>['latest']>

function Progress({ replacement, left }: { replacement: Latest; left?: number | undefined }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const shown = (value: number) => formatNumber(value, language)
  return (
    <>
      <p>{t(`replacing.reasons.${replacement.reason}`)}</p>
      <Facts
        facts={[
          [t('replacing.since'), <When key="since" date={replacement.startedDate} />],
          [t('replacing.moved'), shown(replacement.moved)],
          [t('replacing.left'), left === undefined ? null : shown(left)],
          [t('replacing.stuck'), shown(replacement.stuck)],
        ]}
      />
    </>
  )
}

function End({ host, block, onClose }: { host: Host; block: HostBlock; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { accountTargetCountry, accountTargetOperator } = block
  const name = `\u2068${nameOfTarget(block)}\u2069`
  return (
    <HostDialog
      title={t('replacing.end.title', { name })}
      confirm={t('replacing.end.action')}
      done={t('replacing.end.done', { name })}
      host={host}
      call={endBlock}
      body={{
        hostUUID: host.uuid,
        ...(accountTargetCountry && { accountTargetCountry }),
        ...(accountTargetOperator && { accountTargetOperator }),
      }}
      refreshes={calls}
      onClose={onClose}
    >
      <p>{t('replacing.end.text')}</p>
    </HostDialog>
  )
}
