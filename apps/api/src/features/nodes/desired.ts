import { createHash } from 'node:crypto'
import type { desired, Input, Result } from '@kelid/contract'
import type { Context } from '../../context.ts'
import type { Turns } from '../../lib/turns.ts'
import { vpnSecretOf } from '../accounts/accounts.ts'
import { currentSettings } from '../settings/settings.ts'
import * as store from './desired.store.ts'
import { readEpoch } from './nodes.store.ts'
import { type Node, requireStill } from './nodes.ts'
import type { Waits } from './waits.ts'

/** A relay that was away longer has lost its connections anyway. */
const cutsFor = 60_000

type Answer = Result<typeof desired.output>

export async function awaitDesired(
  ctx: Context,
  waits: Waits,
  turns: Turns,
  node: Node,
  nodeList: Pick<Input<typeof desired>, 'epoch' | 'digest'>,
): Promise<Answer> {
  // Begins before the list is composed, so that no later change is missed.
  const wait = waits.begin(node.uuid)
  try {
    for (let isWoken = false; ; isWoken = true) {
      const list = await turns.take(node.uuid, () => compose(ctx, node))
      if (list.epoch !== nodeList.epoch || list.digest !== nodeList.digest) return answer(ctx, list, true)
      // A node that refused this list learns at once that it may apply it.
      if ((isWoken && list.mayShrink) || !(await wait.next())) return answer(ctx, list, false)
      await requireStill(ctx, node)
    }
  } finally {
    wait.end()
  }
}

type List = Awaited<ReturnType<typeof compose>>

/** The row lock guarantees that a higher number is a later list. */
const compose = (ctx: Context, node: Node) =>
  ctx.atomically(async (tx) => {
    const now = ctx.clock.now()
    const last = await store.lockList(tx, node.uuid)
    const { maxDevices } = await currentSettings(tx)
    const { removed, accounts } = await store.listedOn(tx, node)
    const cuts = await store.cutsOf(tx, node.uuid, new Date(now.getTime() - cutsFor))
    const digest = digestOf([maxDevices, last.last_cut, removed], accounts)
    const number = digest === last.digest ? last.number : last.number + 1
    if (number !== last.number) await store.writeList(tx, node.uuid, number, digest)
    const mayShrink = last.may_shrink_until !== null && last.may_shrink_until > now
    return { epoch: await readEpoch(tx), number, digest, removed, mayShrink, maxDevices, accounts, cuts }
  })

/** Without secrets, because a new one raises the revision. Includes the newest cut, so that a relay gets it at once. */
function digestOf(numbers: readonly number[], accounts: readonly store.ListedAccount[]): string {
  const hash = createHash('sha256').update(`${numbers.join(' ')}\n`)
  for (const { uuid, revision, is_enabled, expires_at } of accounts)
    hash.update(`${uuid} ${revision} ${is_enabled} ${expires_at.getTime()}\n`)
  return hash.digest('hex')
}

const answer = (ctx: Context, { maxDevices, accounts, ...list }: List, isNew: boolean): Answer => ({
  ...list,
  now: ctx.clock.now().toISOString(),
  accounts: isNew
    ? accounts.map((account) => ({
        id: account.uuid,
        revision: account.revision,
        secret: vpnSecretOf(ctx, account),
        enabled: account.is_enabled,
        expiresAt: account.expires_at.toISOString(),
        maxDevices,
      }))
    : null,
})
