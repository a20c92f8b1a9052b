import { getServers, getTunnels, type HostKind, hostKinds } from '@kelid/contract'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Pick } from '../../kit/pick.tsx'
import { ReadWarning } from '../../kit/read-warning.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'
import styles from './give.module.css'
import { GiveForm } from './give-form.tsx'
import type { Subject } from './subject.ts'
import { SubjectName } from './subject-name.tsx'

interface Props {
  subject: Subject | null
  onSubject: (subject: Subject | null) => void
}

export function GiveDays({ subject, onSubject }: Props) {
  const step = useRef<HTMLDivElement>(null)
  const hasPressed = useRef(false)
  const uuid = subject?.uuid
  // The pressed button is gone, so the focus moves to the first field of the new step.
  useEffect(() => {
    if (hasPressed.current) step.current?.querySelector<HTMLElement>(uuid ? 'form input' : 'input')?.focus()
  }, [uuid])
  const press = (nextSubject: Subject | null) => {
    hasPressed.current = true
    onSubject(nextSubject)
  }
  return (
    <div ref={step} className={styles.step}>
      {subject ? (
        <>
          <SubjectName subject={subject} onOther={() => press(null)} />
          <GiveForm key={subject.uuid} subject={subject} />
        </>
      ) : (
        <SubjectPick onSubject={press} />
      )}
    </div>
  )
}

const maxHosts = 20

function SubjectPick({ onSubject }: { onSubject: (subject: Subject) => void }) {
  const { t } = useTranslation('admin')
  const ruleText = useRuleText()
  const [kind, setKind] = useState<HostKind>('server')
  const [search, setSearch] = useState('')
  /** Arrow keys change the choice, so a separate press confirms it. */
  const [selected, setSelected] = useState('')
  const rule = search ? brokenRules(getServers, { search }).search : undefined
  const body = { limit: maxHosts, ...(search && !rule && { search }) }
  const servers = useRead(getServers, { ...body, sort: 'serverName' }, { isEnabled: kind === 'server' })
  const tunnels = useRead(getTunnels, { ...body, sort: 'tunnelName' }, { isEnabled: kind === 'tunnel' })
  const hosts =
    kind === 'server'
      ? servers.data?.items.map(
          ({ serverUUID, serverName, serverURL }) => [serverUUID, serverName ?? serverURL] as const,
        )
      : tunnels.data?.items.map(({ tunnelUUID, tunnelName }) => [tunnelUUID, tunnelName] as const)
  const { error } = kind === 'server' ? servers : tunnels
  return (
    <div className={styles.form}>
      <SelectField
        label={t('compensations.kind')}
        value={kind}
        onValue={setKind}
        options={hostKinds.map((value) => ({ value, label: t(`compensations.kinds.${value}`) }))}
      />
      <Pick
        label={t('compensations.host')}
        search={search}
        onSearch={setSearch}
        error={ruleText(rule)}
        value={selected}
        onValue={setSelected}
        options={hosts?.map(([value, name]) => ({ value, label: <Latin>{name}</Latin> }))}
        emptyText={t('list.noneMatch')}
      />
      {error && <ReadWarning error={error} />}
      <Button
        kind="primary"
        disabled={!hosts?.some(([uuid]) => uuid === selected)}
        onClick={() => onSubject({ kind, uuid: selected })}
      >
        {t('compensations.choose')}
      </Button>
    </div>
  )
}
