import { type Answer, getHostMoveTargets, moveHostAccounts, quoteHostMove } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { formatNumber } from '../../../lib/format.ts'
import { lookUp } from '../../../lib/look-up.ts'
import { notify } from '../../../lib/notices.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useRead } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useActOnce } from '../../kit/act-once.ts'
import { Facts } from '../../kit/facts.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Pick } from '../../kit/pick.tsx'
import { ReadWarning } from '../../kit/read-warning.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import styles from './detail.module.css'

interface Props {
  host: Host
  onClose: () => void
}

const limit = 20

export function MoveAccounts({ host: { kind, uuid: hostUUID, name }, onClose }: Props) {
  const { t } = useTranslation('admin')
  const ruleText = useRuleText()
  const client = useQueryClient()
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState('')
  const { search: rule } = brokenRules(getHostMoveTargets, search ? { hostUUID, search } : { hostUUID })
  const targets = useRead(getHostMoveTargets, { hostUUID, limit, ...(search && !rule && { search }) })
  // A new search may hide the chosen host; then none is chosen.
  const to = targets.data?.items.some((target) => target.hostUUID === selected) ? selected : ''
  const quote = useRead(quoteHostMove, { hostUUID, toHostUUID: to }, { isEnabled: to !== '' })
  const once = useActOnce(moveHostAccounts, kinds[kind].stale, hostUUID)
  const quoteAgain = () => client.invalidateQueries({ queryKey: [quoteHostMove.path] })
  const countParams = useCounted()
  const preview = to === '' ? undefined : quote.data
  const isReady = preview?.fits === true && preview.accounts > 0
  return (
    <ActDialog
      title={t('hosts.move.title', { name })}
      confirm={
        preview && isReady ? t('hosts.move.confirm', countParams(preview.accounts)) : t('hosts.move.action')
      }
      isReady={isReady}
      once={once}
      onClose={onClose}
      onChanged={quoteAgain}
      onConfirm={async () => {
        const accounts = preview?.accounts ?? 0
        await once.send({ hostUUID, toHostUUID: to, accounts })
        void quoteAgain()
        notify(t('hosts.move.done', countParams(accounts)), 'success')
      }}
    >
      <p>{t('hosts.move.text')}</p>
      <Pick
        label={t('hosts.move.to')}
        search={search}
        onSearch={setSearch}
        error={ruleText(rule)}
        value={to}
        onValue={setSelected}
        options={targets.data?.items.map((target) => ({
          value: target.hostUUID,
          label: (
            <>
              <Latin>{target.hostName}</Latin>
              {' – '}
              {t('hosts.move.room', countParams(target.room))}
            </>
          ),
        }))}
        emptyText={t(search ? 'list.noneMatch' : 'hosts.move.none')}
      />
      {targets.error && <ReadWarning error={targets.error} />}
      {quote.error && to !== '' && <ReadWarning error={quote.error} />}
      {preview && <MovePreview quote={preview} />}
    </ActDialog>
  )
}

interface MovePreviewProps {
  quote: Answer<typeof quoteHostMove>
}

function MovePreview({ quote: { accounts, room, refusal, sameCountry } }: MovePreviewProps) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  return (
    <div aria-live="polite" className={styles.preview}>
      <Facts
        facts={[
          [t('hosts.move.accounts'), formatNumber(accounts, language)],
          [t('hosts.move.free'), formatNumber(room, language)],
        ]}
      />
      {refusal && <Warning>{lookUp(t, `errors.${refusal}`, { accounts, room })}</Warning>}
      {!refusal && !sameCountry && <p>{t('hosts.move.otherCountry')}</p>}
    </div>
  )
}
