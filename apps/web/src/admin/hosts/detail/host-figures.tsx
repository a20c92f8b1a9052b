import { type Answer, getHostFigures, type Language, languageFacts } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { formatBytes } from '../../../shared/format-bytes.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { When } from '../../../shared/when.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Mark } from '../../kit/mark.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { TroubleText } from '../../kit/trouble-text.tsx'
import { formatDuration } from './duration.ts'

type Figures = Answer<typeof getHostFigures>
type Traffic = Figures['hostTrafficToday']

export function HostFigures({ hostUUID }: { hostUUID: string }) {
  const { t } = useTranslation('admin')
  const figures = useRead(getHostFigures, { hostUUID })
  useReadNotice(figures.error, t('agent.figures.failed'))
  if (figures.data) return <AgentFigures figures={figures.data} />
  return <ReadState read={figures} failed={t('agent.figures.failed')} />
}

function AgentFigures({ figures }: { figures: Figures }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { agentHeardDate: heardDate, agentSilent: isSilent, coreVersion, coreSinceDate: coreSince } = figures
  const number = (value: number) => formatNumber(value, language)
  const traffic = ({ up, down }: Traffic) => {
    const bytes = (value: number) => unbroken(formatBytes(value, language))
    return t('agent.figures.bytes', { sum: bytes(up + down), down: bytes(down), up: bytes(up) })
  }
  const version = (text: string) => <Latin key="version">{text}</Latin>
  return (
    <>
      {heardDate === null && (
        <p>
          <Mark is="quiet" icon={adminShapes.clock}>
            {t('agent.figures.never')}
          </Mark>
        </p>
      )}
      {heardDate !== null && isSilent && (
        <p>
          <Mark is="bad" icon={adminShapes.alert}>
            <span>
              <When date={heardDate} sentence={(when) => t('agent.figures.silent', { when })} />
            </span>
          </Mark>
        </p>
      )}
      {figures.hostAlerts.map(({ alert, count, lastDate }) => (
        <p key={alert}>
          <Mark is="bad" icon={adminShapes.alert}>
            <span>
              {t(`hostAlerts.${alert}`, { count, shown: number(count) })} <When date={lastDate} />
            </span>
          </Mark>
        </p>
      ))}
      {figures.hostTroubles.map(({ sinceDate, ...trouble }) => (
        <p key={trouble.trouble}>
          <Mark
            is={trouble.repaired ? 'quiet' : 'bad'}
            icon={trouble.repaired ? adminShapes.done : adminShapes.alert}
          >
            <span>
              <TroubleText {...trouble} /> <When date={sinceDate} />
            </span>
          </Mark>
        </p>
      ))}
      <Facts
        facts={[
          [
            t('agent.figures.accounts'),
            t('agent.figures.active', {
              active: number(figures.hostActiveAccounts),
              all: number(figures.hostAccounts),
            }),
          ],
          [
            t('agent.figures.abused'),
            figures.hostAbusedAccounts === 0 ? null : number(figures.hostAbusedAccounts),
          ],
          [t('agent.figures.today'), traffic(figures.hostTrafficToday)],
          [t('agent.figures.month'), traffic(figures.hostTrafficMonth)],
          [t('agent.figures.total'), traffic(figures.hostTrafficTotal)],
          [
            t(isSilent ? 'agent.figures.connectionsLast' : 'agent.figures.connections'),
            figures.hostConnections === null ? null : number(figures.hostConnections),
          ],
          [
            t('agent.figures.load'),
            figures.hostLoad === null ? null : twoDecimals(figures.hostLoad, language),
          ],
          [t('agent.figures.version'), figures.agentVersion && version(figures.agentVersion)],
          [
            t('agent.figures.core'),
            coreVersion ? version(coreVersion) : figures.agentVersion && t('agent.figures.noCore'),
          ],
          [t('agent.figures.coreSince'), coreSince && <When key="since" date={coreSince} />],
          [
            t('agent.figures.clock'),
            figures.clockOffsetMs === null ? null : <Clock key="clock" ahead={figures.clockOffsetMs} />,
          ],
          [t('agent.figures.heard'), heardDate && !isSilent ? <When key="heard" date={heardDate} /> : null],
        ]}
      />
    </>
  )
}

/** No-break spaces and isolates keep a figure on one line and in its own direction. */
const unbroken = (text: string) => `\u2068${text.replaceAll(' ', '\u00a0')}\u2069`

const twoDecimals = (value: number, language: Language) =>
  new Intl.NumberFormat(languageFacts[language].locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(value)

/** The network delays the hello, so less than a second is not a clock error. */
function Clock({ ahead }: { ahead: number }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const offset = Math.abs(ahead)
  if (offset < 1_000) return t('agent.figures.clockRight')
  const { locale } = languageFacts[language]
  const length =
    offset < 60_000
      ? new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'long' }).format(
          Math.round(offset / 1_000),
        )
      : formatDuration(offset, language)
  return (
    <Mark is="bad" icon={adminShapes.clock}>
      {t(ahead > 0 ? 'agent.figures.clockAhead' : 'agent.figures.clockBehind', { length })}
    </Mark>
  )
}
