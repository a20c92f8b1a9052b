import { type AnyAccount, getServers, getTunnels } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { SelectField } from '../../../ui/field.tsx'
import { SearchField } from '../../kit/search-field.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'

export interface Host {
  readonly uuid: string
  readonly name: string
}
interface Load extends Host {
  readonly accounts: number
  readonly maxAccounts: number
}
interface Props {
  account: AnyAccount
  /** null keeps the current host. */
  selected: Host | null
  onSelect: (host: Host | null) => void
}

/** Hosts beyond this limit are found by searching for their names. */
const listBody = { state: 'ready', limit: 100 } as const

export function ServerField({ account, ...rest }: Props) {
  const { t } = useTranslation('admin')
  const [search, setSearch] = useState('')
  const { data, error } = useRead(getServers, { ...listBody, sort: 'serverName', ...searchedFor(search) })
  const hosts = data?.items
    .filter(
      (one) =>
        one.serverUUID !== account.serverUUID &&
        !one.serverPaused &&
        one.serverVPNType === account.accountVPNType &&
        one.serverTunnelType === account.accountTunnelType,
    )
    .map((one) => ({
      uuid: one.serverUUID,
      name: one.serverName ?? one.serverURL,
      accounts: one.serverAccounts ?? 0,
      maxAccounts: one.serverMaxAccounts ?? 0,
    }))
  return (
    <HostField
      {...rest}
      label={t('adminAccounts.server')}
      currentName={account.serverName}
      hosts={hosts}
      failure={error}
      hasMore={Boolean(data?.nextCursor)}
      search={search}
      onSearch={setSearch}
    />
  )
}

export function TunnelField({ account, ...rest }: Props) {
  const { t } = useTranslation('admin')
  const [search, setSearch] = useState('')
  const { data, error } = useRead(getTunnels, { ...listBody, sort: 'tunnelName', ...searchedFor(search) })
  const hosts = data?.items
    .filter(
      (one) =>
        one.tunnelUUID !== account.tunnelUUID &&
        !one.tunnelPaused &&
        one.tunnelType === account.accountTunnelType,
    )
    .map((one) => ({
      uuid: one.tunnelUUID,
      name: one.tunnelName,
      accounts: one.tunnelAccounts,
      maxAccounts: one.tunnelMaxAccounts,
    }))
  return (
    <HostField
      {...rest}
      label={t('adminAccounts.tunnel')}
      currentName={account.tunnelName ?? ''}
      hosts={hosts}
      failure={error}
      hasMore={Boolean(data?.nextCursor)}
      search={search}
      onSearch={setSearch}
    />
  )
}

const searchedFor = (search: string) =>
  search === '' || brokenRules(getServers, { search }).search ? {} : { search }

interface FieldProps extends Omit<Props, 'account'> {
  label: string
  currentName: string
  hosts: readonly Load[] | undefined
  failure: Error | null
  hasMore: boolean
  search: string
  onSearch: (search: string) => void
}

function HostField({
  label,
  currentName,
  hosts = [],
  failure,
  hasMore,
  search,
  onSearch,
  ...rest
}: FieldProps) {
  const { selected, onSelect } = rest
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const ruleText = useRuleText()
  useReadNotice(failure, t('adminAccounts.move.failed'))
  const withRoom = hosts.filter(({ accounts, maxAccounts }) => accounts < maxAccounts)
  // The chosen host stays on offer when a new search does not match it.
  const unlisted = selected && !withRoom.some(({ uuid }) => uuid === selected.uuid) ? [selected] : []
  const options = [
    { value: '', label: t('adminAccounts.move.stays', { name: currentName }) },
    ...unlisted.map(({ uuid, name }) => ({ value: uuid, label: name })),
    ...withRoom.map(({ uuid, name, accounts, maxAccounts }) => ({
      value: uuid,
      label: t('adminAccounts.move.option', {
        name,
        accounts: formatNumber(accounts, language),
        most: formatNumber(maxAccounts, language),
      }),
    })),
  ]
  const emptyText = hosts.length > 0 || hasMore ? undefined : t('adminAccounts.move.none')
  return (
    <>
      {(hasMore || search !== '') && (
        <SearchField
          label={t('adminAccounts.move.search', { what: label })}
          value={search}
          onSearch={onSearch}
          error={ruleText(search === '' ? undefined : brokenRules(getServers, { search }).search)}
        />
      )}
      <SelectField
        label={label}
        value={selected?.uuid ?? ''}
        onValue={(uuid) => onSelect([...unlisted, ...withRoom].find((one) => one.uuid === uuid) ?? null)}
        options={options}
        hint={failure ? undefined : emptyText}
        error={failure ? t('adminAccounts.move.failed') : undefined}
      />
    </>
  )
}
