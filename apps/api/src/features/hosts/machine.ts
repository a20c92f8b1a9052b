import type { Context, Db } from '../../context.ts'
import { copyHostKey } from './host-keys.store.ts'
import { findTarget, lockHost, readRow, updateHost } from './hosts.store.ts'
import { type Host, holdHost } from './kinds.ts'
import { lockAddresses, servicesAt } from './occupancy.ts'
import { openSecrets, sealSecrets, serverSecretFlags, withAccessOf } from './secrets.ts'

/** Locks a host with the others of its machine, in the order of all locks, for a change of what they share. */
export async function holdMachine(tx: Db, host: Host) {
  await lockAddresses(tx)
  const address = (await findTarget(tx, host.kind, host.uuid))?.ipv4
  for (const { kind, uuid } of address ? await servicesAt(tx, address) : []) await lockHost(tx, kind, uuid)
  return holdHost(tx, host)
}

/**
 * A host that has come to a machine with other services uses their SSH access, unless it brings a password or a key:
 * that is for all of them then. It expects their host key.
 */
export async function joinMachine(
  ctx: Context,
  tx: Db,
  host: Host,
  [other]: readonly Host[],
  { bringsAccess }: { bringsAccess: boolean },
): Promise<void> {
  if (!other) return
  if (bringsAccess) await shareAccess(ctx, tx, host)
  else await copyAccess(ctx, tx, other, host)
  const { row } = await readRow(tx, host.kind, host.uuid)
  await copyHostKey(tx, row.ipv4, other.uuid, host.uuid)
}

/** The other services of the machine get the access of this one. */
export async function shareAccess(ctx: Context, tx: Db, host: Host): Promise<void> {
  const { row } = await readRow(tx, host.kind, host.uuid)
  for (const other of await servicesAt(tx, row.ipv4))
    if (other.uuid !== host.uuid) await copyAccess(ctx, tx, host, other)
}

async function copyAccess(ctx: Context, tx: Db, from: Host, to: Host): Promise<void> {
  const [source, target] = [await readRow(tx, from.kind, from.uuid), await readRow(tx, to.kind, to.uuid)]
  const secrets = withAccessOf(to.kind, openSecrets(ctx, to.kind, target.row), {
    kind: from.kind,
    secrets: openSecrets(ctx, from.kind, source.row),
  })
  await updateHost(tx, to.kind, to.uuid, {
    ssh_port: source.row.ssh_port,
    secrets: sealSecrets(ctx, to.kind, to.uuid, secrets),
    ...(target.kind === 'server' && {
      details: JSON.stringify({ ...target.row.details, ...serverSecretFlags(secrets) }),
    }),
  })
}
