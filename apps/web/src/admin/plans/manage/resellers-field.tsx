import { getUsers, limits } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import pick from '../../kit/pick.module.css'
import { SearchField } from '../../kit/search-field.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'

interface Props {
  isForAll: boolean
  emails: readonly string[]
  onChange: (isForAll: boolean, emails: readonly string[]) => void
}

const resultsShown = 20

export function ResellersField({ isForAll, emails, onChange }: Props) {
  const { t } = useTranslation('admin/plans')
  return (
    <>
      <SelectField
        label={t('plans.seenBy')}
        value={isForAll ? 'all' : 'chosen'}
        onValue={(value) => onChange(value === 'all', emails)}
        options={(['all', 'chosen'] as const).map((value) => ({ value, label: t(`plans.who.${value}`) }))}
      />
      {!isForAll && <Resellers emails={emails} onEmails={(next) => onChange(false, next)} />}
    </>
  )
}

interface ResellersProps {
  emails: readonly string[]
  onEmails: (emails: readonly string[]) => void
}

/** The chosen ones come first, also if the search does not find them. */
function Resellers({ emails, onEmails }: ResellersProps) {
  const { t } = useTranslation('admin/plans')
  const { t: tAdmin } = useTranslation('admin')
  const ruleText = useRuleText()
  const [search, setSearch] = useState('')
  const rule = brokenRules(getUsers, { search }).search
  const users = useRead(getUsers, { limit: resultsShown, ...(search && !rule && { search }) })
  const others = (users.data?.items ?? [])
    .map(({ userEmail }) => userEmail)
    .filter((email) => !emails.includes(email))
  const row = (email: string, isChosen: boolean) => (
    <label key={email}>
      <input
        type="checkbox"
        checked={isChosen}
        disabled={!isChosen && emails.length >= limits.planResellersMax}
        onChange={() => onEmails(isChosen ? emails.filter((one) => one !== email) : [...emails, email])}
      />
      <bdi dir="ltr">{email}</bdi>
    </label>
  )
  return (
    <fieldset
      className={pick.pick}
      // Enter must not submit the dialog around the search.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    >
      <legend>{t('plans.resellers')}</legend>
      <SearchField label={tAdmin('list.search')} value={search} onSearch={setSearch} error={ruleText(rule)} />
      <div className={pick.options}>
        {emails.map((email) => row(email, true))}
        {others.map((email) => row(email, false))}
        {users.isPending && <Loading size="small" />}
        {users.error && !users.data && (
          <ReadFailed
            error={users.error}
            text={t('plans.resellersFailed')}
            onRetry={() => void users.refetch()}
          />
        )}
        {users.data && emails.length + others.length === 0 && <p>{t('plans.nobodyFound')}</p>}
      </div>
    </fieldset>
  )
}
