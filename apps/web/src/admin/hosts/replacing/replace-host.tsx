import { type Answer, getReplacement, replaceHost, stopReplacing } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useRead } from '../../../shared/reads/query.ts'
import { useDebounced } from '../../../shared/use-debounced.ts'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { Facts } from '../../kit/facts.tsx'
import { ReadWarning } from '../../kit/read-warning.tsx'
import { ReasonField } from '../../kit/reason-field.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { useRuleText } from '../../kit/use-rule-text.ts'
import { HostDialog } from '../detail/host-act-dialog.tsx'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import { useOtherServices } from '../host/machine.ts'
import styles from './replacing.module.css'
import { nameOfTarget, type Target } from './target.ts'

interface Props {
  host: Host
  onClose: () => void
}

export function ReplaceButton({ host, opens }: { host: Host; opens: boolean }) {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(opens)
  return (
    <>
      <Button icon={adminShapes.move} onClick={() => setOpen(true)}>
        {t('replacing.action')}
      </Button>
      {isOpen && <ReplaceHost host={host} onClose={() => setOpen(false)} />}
    </>
  )
}

/** For a host that is blocked: before it begins, what it would do; while all are replaced, how far it has come. */
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

const everybody: Target = { accountTargetCountry: '', accountTargetOperator: '' }
const stated = ({ accountTargetCountry, accountTargetOperator }: Target) => ({
  ...(accountTargetCountry && { accountTargetCountry }),
  ...(accountTargetOperator && { accountTargetOperator }),
})

function Begin({ host, onClose }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const counted = useCounted()
  const [reason, setReason] = useState('')
  const [wholeMachine, setWholeMachine] = useState(false)
  const [blockedFor, setBlockedFor] = useState(everybody)
  const [alsoUnstated, setAlsoUnstated] = useState(false)
  const isShared = useOtherServices(host.ipv4, host.uuid).length > 0
  const isForSome = nameOfTarget(blockedFor) !== ''
  const target = {
    hostUUID: host.uuid,
    ...(wholeMachine && { wholeMachine }),
    ...stated(blockedFor),
    ...(isForSome && alsoUnstated && { alsoUnstated }),
  }
  const body = { ...target, reason }
  const rules = brokenRules(replaceHost, body)
  const debounced = useDebounced(JSON.stringify(target), 250)
  const isSettled = debounced === JSON.stringify(target)
  const isEnabled = Object.keys(brokenRules(getReplacement, JSON.parse(debounced))).length === 0
  const { data: replacement, error } = useRead(getReplacement, JSON.parse(debounced) as typeof target, {
    isEnabled,
  })
  const shown = (value: number) => formatNumber(value, language)
  const hasSomebody = isForSome || (replacement?.ways ?? 0) > 0
  return (
    <HostDialog
      title={t('replacing.title', { name: host.name })}
      confirm={t('replacing.action')}
      done={t('replacing.done', { name: host.name })}
      host={host}
      call={replaceHost}
      body={body}
      refreshes={[...kinds[host.kind].stale, getReplacement]}
      isReady={Object.keys(rules).length === 0 && isSettled && replacement !== undefined && hasSomebody}
      onClose={onClose}
    >
      <p>{t(isForSome ? 'replacing.textForSome' : 'replacing.text')}</p>
      <BlockedFor value={blockedFor} onValue={setBlockedFor} rules={rules} replacement={replacement} />
      {isForSome && (
        <Switch
          label={t('replacing.alsoUnstated', counted(replacement?.unstated ?? 0))}
          isOn={alsoUnstated}
          onChange={setAlsoUnstated}
        />
      )}
      {error !== null && <ReadWarning error={error} />}
      {replacement && (
        <Facts
          facts={[
            [t('replacing.ways'), shown(replacement.ways)],
            [t('replacing.placed'), shown(replacement.placed)],
            [t('replacing.elsewhere'), shown(replacement.elsewhere)],
          ]}
        />
      )}
      {replacement && replacement.placed < replacement.ways && <Warning>{t('replacing.noRoom')}</Warning>}
      {isShared && (
        <Switch label={t('replacing.wholeMachine')} isOn={wholeMachine} onChange={setWholeMachine} />
      )}
      <ReasonField value={reason} onValue={setReason} rule={rules.reason} />
    </HostDialog>
  )
}

interface BlockedForProps {
  value: Target
  onValue: (value: Target) => void
  rules: Partial<Record<string, string>>
  replacement: Replacement | undefined
}

function BlockedFor({ value, onValue, rules, replacement }: BlockedForProps) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const ruleText = useRuleText()
  const field = (name: keyof Target, label: string, hint?: string) => (
    <TextField
      label={label}
      value={value[name]}
      onValue={(text) => onValue({ ...value, [name]: text })}
      error={rules[name] && ruleText(rules[name])}
      hint={hint}
      autoComplete="off"
      dir="auto"
    />
  )
  const targets = replacement?.targets ?? []
  return (
    <>
      {field('accountTargetCountry', t('replacing.country'))}
      {field('accountTargetOperator', t('replacing.operator'), t('replacing.forHint'))}
      {targets.length > 0 && (
        <fieldset className={styles.targets}>
          <legend>{t('replacing.stated')}</legend>
          {targets.map(({ ways, ...target }) => (
            <Button key={nameOfTarget(target)} onClick={() => onValue(target)}>
              <bdi>{nameOfTarget(target)}</bdi> ({formatNumber(ways, language)})
            </Button>
          ))}
        </fieldset>
      )}
    </>
  )
}

function Stop({ host, replacement, onClose }: Props & { replacement: Replacement | undefined }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const shown = (value: number) => formatNumber(value, language)
  const { ways = 0, latest } = replacement ?? {}
  return (
    <HostDialog
      title={t('replacing.stop.title', { name: host.name })}
      confirm={t('replacing.stop.action')}
      done={t('replacing.stop.done', { name: host.name })}
      host={host}
      call={stopReplacing}
      refreshes={[getReplacement]}
      dismiss={t('replacing.stop.dismiss')}
      onClose={onClose}
    >
      <p>{t(`replacing.reasons.${latest?.reason ?? 'blocked'}`)}</p>
      {latest && (
        <Facts
          facts={[
            [t('replacing.since'), <When key="since" date={latest.startedDate} />],
            [t('replacing.moved'), shown(latest.moved)],
            [t('replacing.left'), shown(ways)],
            [t('replacing.stuck'), shown(latest.stuck)],
          ]}
        />
      )}
    </HostDialog>
  )
}
