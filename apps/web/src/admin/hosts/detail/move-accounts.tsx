import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { formatNumber } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useActOnce } from '../../kit/act-once.ts'
import { Latin } from '../../kit/latin.tsx'
import { Pick } from '../../kit/pick.tsx'
import { ReadWarning } from '../../kit/read-warning.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import { useAsk } from '../host/question.ts'
import { MovePreview } from './move-preview.tsx'

interface Props {
  host: Host
  onClose: () => void
}

/** Where to, how many, whether they fit; then one press. */
export function MoveAccounts({ host: { kind, uuid, name }, onClose }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const ruleText = useRuleText()
  const client = useQueryClient()
  const { moveTargets, quoteMove, move, stale } = kinds[kind]
  const [search, setSearch] = useState('')
  const [picked, setPicked] = useState('')
  const rule = brokenRules(moveTargets.call, moveTargets.bodyOf({ uuid, search })).search
  const targets = useAsk(moveTargets, { uuid, search: rule ? '' : search })
  // Nothing is moved to what a new search has put out of sight.
  const to = targets.data?.some((target) => target.uuid === picked) ? picked : ''
  const quote = useAsk(quoteMove, { uuid, to }, { isEnabled: to !== '' })
  const once = useActOnce(move.call, stale, uuid)
  const quoteAgain = () => client.invalidateQueries({ queryKey: [quoteMove.call.path] })
  const shown = (count: number) => ({ count, shown: formatNumber(count, language) })
  const preview = to === '' ? undefined : quote.data
  const isReady = preview?.fits === true && preview.accounts > 0
  return (
    <ActDialog
      title={t('hosts.move.title', { name })}
      confirm={preview && isReady ? t('hosts.move.confirm', shown(preview.accounts)) : t('hosts.move.action')}
      isReady={isReady}
      once={once}
      onClose={onClose}
      onChanged={quoteAgain}
      onConfirm={async () => {
        const accounts = preview?.accounts ?? 0
        await once.send(move.bodyOf({ uuid, to, accounts }))
        void quoteAgain()
        notify(t('hosts.move.done', shown(accounts)), 'success')
      }}
    >
      <p>{t('hosts.move.text')}</p>
      <Pick
        label={t('hosts.move.to')}
        search={search}
        onSearch={setSearch}
        error={ruleText(rule)}
        value={to}
        onValue={setPicked}
        options={targets.data?.map((target) => ({
          value: target.uuid,
          label: (
            <>
              <Latin>{target.name}</Latin>
              {' – '}
              {t('hosts.move.room', shown(target.maxAccounts - target.accounts))}
            </>
          ),
        }))}
        none={t(search ? 'list.noneMatch' : 'hosts.move.none')}
      />
      {targets.error && <ReadWarning error={targets.error} />}
      {quote.error && to !== '' && <ReadWarning error={quote.error} />}
      {preview && <MovePreview quote={preview} />}
    </ActDialog>
  )
}
