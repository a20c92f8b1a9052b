import { type editServer as editServerCall, type Input, type Language, Refusal } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { fromTo, requireAsSeen } from '../../lib/as-seen.ts'
import { given } from '../../lib/given.ts'
import type { By } from '../audit/audit.ts'
import { holdHost, saveEdit } from '../hosts/hosts.ts'
import { closeSecrets, openSecrets, replaceSecrets, secretsThere } from './server-secrets.ts'
import { findServer } from './servers.store.ts'
import { getServer, hostOf } from './servers.ts'

const detailNames = [
  'serverDescription',
  'serverProvider',
  'serverExpireDate',
  'serverLocation',
  'serverTargetCountry',
  'serverTargetOperator',
] as const

/** The audit log has what changed, and of the secrets only which were replaced. */
export const editServer = (ctx: Context, by: By, input: Input<typeof editServerCall>, lng: Language) =>
  ctx.atomically(async (tx) => {
    const { serverUUID: uuid, basedOn } = input
    const host = hostOf(uuid)
    const held = await holdHost(tx, host)
    const row = await findServer(tx, uuid)
    if (!row) throw new Refusal('RESOURCE_NOT_FOUND')

    const details = given(row.details, detailNames)
    const before = { serverName: row.name, serverMaxAccounts: row.max_accounts, ...details }
    requireAsSeen(basedOn, before)
    const after = { ...before, ...given(input, ['serverName', 'serverMaxAccounts', ...detailNames]) }

    const { secrets, names } = replaceSecrets(openSecrets(ctx, row), input)
    const { serverName: name, serverMaxAccounts: max_accounts, ...rest } = after
    const columns = {
      name,
      max_accounts,
      details: JSON.stringify({ ...row.details, ...rest, ...secretsThere(secrets) }),
      secrets: closeSecrets(ctx, uuid, secrets),
    }
    await saveEdit(ctx, tx, by, host, held, columns, {
      ...fromTo(before, after),
      ...(names.length > 0 && { replacedSecrets: names.join(' ') }),
    })
    return getServer(ctx, uuid, lng, tx)
  })
