import { type Answer, getUpgrades, startRollout, stopRollout } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'
import { Warning } from '../../shared/dialogs/warning.tsx'
import { useRead } from '../../shared/reads/query.ts'
import { ReadState } from '../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../shared/reads/use-read-notice.ts'
import { When } from '../../shared/when.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../kit/facts.tsx'
import { Latin } from '../kit/latin.tsx'
import { Section } from '../kit/section.tsx'
import { ShareBar } from '../kit/share-bar.tsx'
import type { PathOf } from './program-columns.tsx'
import { UpgradeDialog } from './upgrade-dialog.tsx'
import styles from './upgrades.module.css'

type Upgrades = Answer<typeof getUpgrades>

export function UpgradeSummary({ pathOf }: { pathOf: PathOf }) {
  const { t } = useTranslation('admin/upgrades')
  const upgrades = useRead(getUpgrades, {})
  useReadNotice(upgrades.error, t('upgrades.summaryFailed'))
  return (
    <Section title={t('upgrades.newest')}>
      {upgrades.data ? (
        <>
          <Newest upgrades={upgrades.data} />
          <Last upgrades={upgrades.data} pathOf={pathOf} />
          <Next upgrades={upgrades.data} />
        </>
      ) : (
        <ReadState read={upgrades} failed={t('upgrades.summaryFailed')} />
      )}
    </Section>
  )
}

function Newest({ upgrades: { newestPrograms: newest, ...counts } }: { upgrades: Upgrades }) {
  const { t } = useTranslation('admin/upgrades')
  const language = useLanguage()
  if (!newest) return <Warning>{t('upgrades.nothingToInstall')}</Warning>
  const version = (name: keyof typeof newest) => <Latin key={name}>{newest[name].version}</Latin>
  return (
    <Facts
      facts={[
        [t('upgrades.core'), version('core')],
        [t('upgrades.agent'), version('agent')],
        [t('upgrades.node'), version('node')],
        [t('upgrades.current'), formatNumber(counts.currentHosts, language)],
        [t('upgrades.outdated'), formatNumber(counts.outdatedHosts + counts.waitingHosts, language)],
      ]}
    />
  )
}

function Last({ upgrades: { rollout, ...counts }, pathOf }: { upgrades: Upgrades; pathOf: PathOf }) {
  const { t } = useTranslation('admin/upgrades')
  const language = useLanguage()
  if (!rollout) return null
  const { rolloutState: state, rolloutFinishedDate: ended, failedHost } = rollout
  if (state === 'running') {
    const all = counts.currentHosts + counts.waitingHosts + counts.outdatedHosts
    const number = (value: number) => formatNumber(value, language)
    return (
      <div className={styles.running}>
        <p>
          <When
            date={rollout.rolloutStartedDate}
            sentence={(when) =>
              t('upgrades.running', { when, who: `\u2068${rollout.rolloutStartedBy}\u2069` })
            }
          />
        </p>
        <span className={styles.bar}>
          <ShareBar share={all > 0 ? counts.currentHosts / all : 0} />
        </span>
        <p aria-live="polite">
          {t('upgrades.progress', { done: number(counts.currentHosts), all: number(all) })}
        </p>
      </div>
    )
  }
  if (!ended) return null
  if (state !== 'failed')
    return (
      <p>
        <When date={ended} sentence={(when) => t(`upgrades.${state}`, { when })} />
      </p>
    )
  if (!failedHost)
    return (
      <Warning>
        <When date={ended} sentence={(when) => t('upgrades.failedGone', { when })} />
      </Warning>
    )
  return (
    <Warning>
      <When
        date={ended}
        sentence={(when) => t('upgrades.failed', { when, name: `\u2068${failedHost.hostName}\u2069` })}
      />{' '}
      <Link to={pathOf(failedHost.hostKind, failedHost.hostUUID)}>{t('upgrades.openHost')}</Link>
      {failedHost.lastLine && <br />}
      {failedHost.lastLine && <Latin>{failedHost.lastLine}</Latin>}
    </Warning>
  )
}

function Next({ upgrades }: { upgrades: Upgrades }) {
  const { t } = useTranslation('admin/upgrades')
  const { t: tAdmin } = useTranslation('admin')
  const language = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const {
    rollout,
    newestPrograms,
    currentHosts,
    currentMachines,
    waitingHosts,
    outdatedHosts: count,
  } = upgrades
  if (rollout?.rolloutState === 'running')
    return (
      <>
        <div>
          <Button onClick={() => setOpen(true)}>{t('upgrades.stop')}</Button>
        </div>
        {isOpen && (
          <UpgradeDialog
            call={stopRollout}
            body={{}}
            title={t('upgrades.stopTitle')}
            confirm={t('upgrades.stop')}
            dismiss={t('upgrades.stopDismiss')}
            done={t('upgrades.stopDone')}
            onClose={close}
          >
            <p>{t('upgrades.stopText')}</p>
          </UpgradeDialog>
        )}
      </>
    )
  if (!newestPrograms) return null
  if (count === 0) return currentHosts > 0 && waitingHosts === 0 ? <p>{t('upgrades.allDone')}</p> : null
  if (currentMachines === 0) return <p>{t('upgrades.oneFirst')}</p>
  return (
    <>
      <div>
        <Button kind="primary" onClick={() => setOpen(true)}>
          {t('upgrades.rest')}
        </Button>
      </div>
      {isOpen && (
        <UpgradeDialog
          call={startRollout}
          body={{}}
          title={t('upgrades.restTitle')}
          confirm={t('upgrades.rest')}
          done={t('upgrades.restDone')}
          onClose={close}
        >
          <p>{t('upgrades.restText', { count, shown: formatNumber(count, language) })}</p>
          <p>{tAdmin('upgrades.cuts')}</p>
        </UpgradeDialog>
      )}
    </>
  )
}
