import { type Answer, getReplacement, replaceHost, stopReplacing } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useRead } from '../../../shared/reads/query.ts'
import { When } from '../../../shared/when.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { Facts } from '../../kit/facts.tsx'
import { ReadWarning } from '../../kit/read-warning.tsx'
import { ReasonField } from '../../kit/reason-field.tsx'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import { useOtherServices } from '../host/machine.ts'
import { HostActDialog } from './host-act-dialog.tsx'

interface Props {
  host: Host
  onClose: () => void
}

/** For a host that is blocked: before it begins, what it would do; afterwards, how far it has come. */
export function ReplaceHost({ host, onClose }: Props) {
  const { data } = useRead(getReplacement, { hostUUID: host.uuid })
  const isOpen = data?.latest?.finishedDate === null
  return isOpen ? (
    <Stop host={host} replacement={data} onClose={onClose} />
  ) : (
    <Begin host={host} onClose={onClose} />
  )
}

type Replacement = Answer<typeof getReplacement>

function Begin({ host, onClose }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const [reason, setReason] = useState('')
  const [wholeMachine, setWholeMachine] = useState(false)
  const isShared = useOtherServices(host.ipv4, host.uuid).length > 0
  const target = { hostUUID: host.uuid, ...(wholeMachine && { wholeMachine }) }
  const { data: replacement, error } = useRead(getReplacement, target)
  const body = { ...target, reason }
  const rule = brokenRules(replaceHost, body).reason
  const shown = (value: number) => formatNumber(value, language)
  return (
    <HostActDialog
      act="hosts.replace"
      host={host}
      call={replaceHost}
      body={body}
      refreshes={[...kinds[host.kind].stale, getReplacement]}
      isReady={rule === undefined && (replacement?.ways ?? 0) > 0}
      onClose={onClose}
    >
      <p>{t('hosts.replace.text')}</p>
      {error !== null && <ReadWarning error={error} />}
      {replacement && (
        <Facts
          facts={[
            [t('hosts.replace.ways'), shown(replacement.ways)],
            [t('hosts.replace.placed'), shown(replacement.placed)],
            [t('hosts.replace.elsewhere'), shown(replacement.elsewhere)],
          ]}
        />
      )}
      {replacement && replacement.placed < replacement.ways && <Warning>{t('hosts.replace.noRoom')}</Warning>}
      {isShared && (
        <Switch label={t('hosts.replace.wholeMachine')} isOn={wholeMachine} onChange={setWholeMachine} />
      )}
      <ReasonField value={reason} onValue={setReason} rule={rule} />
    </HostActDialog>
  )
}

function Stop({ host, replacement, onClose }: Props & { replacement: Replacement | undefined }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const shown = (value: number) => formatNumber(value, language)
  const { ways = 0, latest } = replacement ?? {}
  return (
    <HostActDialog
      act="hosts.stopReplacing"
      host={host}
      call={stopReplacing}
      refreshes={[getReplacement]}
      dismiss={t('hosts.stopReplacing.dismiss')}
      onClose={onClose}
    >
      <p>{t(`hosts.stopReplacing.reasons.${latest?.reason ?? 'blocked'}`)}</p>
      {latest && (
        <Facts
          facts={[
            [t('hosts.stopReplacing.since'), <When key="since" date={latest.startedDate} />],
            [t('hosts.stopReplacing.moved'), shown(latest.moved)],
            [t('hosts.stopReplacing.left'), shown(ways)],
            [t('hosts.stopReplacing.stuck'), shown(latest.stuck)],
          ]}
        />
      )}
    </HostActDialog>
  )
}
