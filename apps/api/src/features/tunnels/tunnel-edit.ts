import { type editTunnel as editTunnelCall, type Input, Refusal } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { fromTo, requireAsSeen } from '../../lib/as-seen.ts'
import { given } from '../../lib/given.ts'
import type { By } from '../audit/audit.ts'
import { holdHost, saveEdit } from '../hosts/hosts.ts'
import { closeTunnelSecrets, openTunnelSecrets, replaceTunnelSecrets } from './tunnel-secrets.ts'
import { findTunnel } from './tunnels.store.ts'
import { getTunnel, hostOf } from './tunnels.ts'

/** The audit log has what changed, and of the secrets only which were replaced. */
export const editTunnel = (ctx: Context, by: By, input: Input<typeof editTunnelCall>) =>
  ctx.atomically(async (tx) => {
    const { tunnelUUID: uuid, basedOn } = input
    const host = hostOf(uuid)
    const held = await holdHost(tx, host)
    const row = await findTunnel(tx, uuid)
    if (!row) throw new Refusal('RESOURCE_NOT_FOUND')

    const before = {
      tunnelName: row.name,
      tunnelMaxAccounts: row.max_accounts,
      tunnelCreatorEmail: row.creator_email,
    }
    requireAsSeen(basedOn, before)
    const after = { ...before, ...given(input, ['tunnelName', 'tunnelMaxAccounts', 'tunnelCreatorEmail']) }
    const { secrets, names } = replaceTunnelSecrets(openTunnelSecrets(ctx, row), input)
    const columns = {
      name: after.tunnelName,
      max_accounts: after.tunnelMaxAccounts,
      creator_email: after.tunnelCreatorEmail,
      ...(names.length > 0 && { secrets: closeTunnelSecrets(ctx, uuid, secrets) }),
    }
    await saveEdit(ctx, tx, by, host, held, columns, {
      ...fromTo(before, after),
      ...(names.length > 0 && { replacedSecrets: names.join(' ') }),
    })
    return getTunnel(ctx, uuid, tx)
  })
