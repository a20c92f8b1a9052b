import { createHash } from 'node:crypto'
import type { desired, Input, Result } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { groupBy } from '../../lib/grouped.ts'
import type { Turns } from '../../lib/turns.ts'
import { vpnSecretOf, waySecretOf } from '../accounts/accounts.ts'
import { hasOffers } from '../data/data.ts'
import { probeAccountOf, probesWholeWay } from '../hosts/probe-account.ts'
import { currentSettings } from '../settings/settings.ts'
import { refusedOn } from '../usage/usage.ts'
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
      const reportNow = isWoken && node.kind === 'server' && (await hasOffers(ctx.db, node.uuid))
      const news = { ...list, ...(reportNow && { reportNow }) }
      if (list.epoch !== nodeList.epoch || list.digest !== nodeList.digest)
        return answer(ctx, node, news, true)
      // A node that refused this list learns at once that it may apply it.
      const isNews = isWoken && (list.mayShrink || reportNow)
      if (isNews || !(await wait.next())) return answer(ctx, node, news, false)
      await requireStill(ctx, node)
    }
  } finally {
    wait.end()
  }
}

type List = Awaited<ReturnType<typeof compose>> & { reportNow?: boolean }

/** The row lock guarantees that a higher number is a later list. */
const compose = (ctx: Context, node: Node) =>
  ctx.atomically(async (tx) => {
    const now = ctx.clock.now()
    const last = await store.lockList(tx, node.uuid)
    const { maxDevices } = await currentSettings(tx)
    const { removed, knowsProbe, accounts } = await store.listedOn(tx, node)
    const probe = probeOn(ctx, node, knowsProbe)
    const cuts = await store.cutsOf(tx, node.uuid, new Date(now.getTime() - cutsFor))
    const refused = groupBy(await refusedOn(tx, node.uuid, now), ({ account_uuid }) => account_uuid)
    const numbers = [maxDevices, last.last_cut, removed]
    const digest = digestOf(numbers, [...accounts, ...probe], [...refused.values()].flat())
    const number = digest === last.digest ? last.number : last.number + 1
    if (number !== last.number) await store.writeList(tx, node.uuid, number, digest)
    const mayShrink = last.may_shrink_until !== null && last.may_shrink_until > now
    const changes = { removed, mayShrink, accounts, probe, refused, cuts }
    return { epoch: await readEpoch(tx), number, digest, maxDevices, ...changes }
  })

const never = new Date('2100-01-01T00:00:00Z')

/** The account of the probe. A host that has it once keeps it, so that it does not miss an account nobody removed. */
function probeOn(ctx: Context, { kind, uuid }: Node, isKnown: boolean) {
  const is_enabled = probesWholeWay(ctx.config)
  if (kind !== 'server' || !(is_enabled || isKnown)) return []
  const { id, secret } = probeAccountOf(ctx, uuid)
  const none = { max_devices: null, speed_limit: null, is_leased: false, starts_by: null }
  return [{ uuid: id, revision: 1, secret, is_enabled, expires_at: never, ...none }]
}

/** Without secrets, because a new one raises the revision. Includes the newest cut, so that a relay gets it at once. */
function digestOf(
  numbers: readonly number[],
  accounts: readonly Omit<store.ListedAccount, 'secrets' | 'position'>[],
  refused: Awaited<ReturnType<typeof refusedOn>>,
): string {
  const hash = createHash('sha256').update(`${numbers.join(' ')}\n`)
  for (const { uuid, revision, is_enabled, expires_at, max_devices, is_leased, starts_by } of accounts) {
    hash.update(`${uuid} ${revision} ${is_enabled} ${expires_at.getTime()} ${max_devices}\n`)
    if (is_leased || starts_by) hash.update(`${is_leased} ${starts_by?.getTime()}\n`)
  }
  for (const { account_uuid, network, refused_until } of refused)
    hash.update(`${account_uuid} ${network} ${refused_until.getTime()}\n`)
  return hash.digest('hex')
}

const secretOf = (ctx: Context, { uuid: server_uuid }: Node, account: store.ListedAccount) =>
  waySecretOf(ctx, vpnSecretOf(ctx, account), { position: account.position, server_uuid })

const answer = (
  ctx: Context,
  node: Node,
  { maxDevices, accounts, probe, refused, cuts, ...list }: List,
  isNew: boolean,
): Answer => ({
  ...list,
  cuts: cuts.map(({ ports, at, ...cut }) => ({ ...cut, ...(ports && { ports }), at: at.toISOString() })),
  now: ctx.clock.now().toISOString(),
  accounts: isNew
    ? [...accounts, ...probe].map((account) => ({
        id: account.uuid,
        revision: account.revision,
        secret: 'secret' in account ? account.secret : secretOf(ctx, node, account),
        enabled: account.is_enabled,
        expiresAt: account.expires_at.toISOString(),
        maxDevices: account.max_devices ?? maxDevices,
        ...(account.speed_limit !== null && { speedLimit: account.speed_limit }),
        ...(account.is_leased && { isLeased: true }),
        ...(account.starts_by && { startsBy: account.starts_by.toISOString() }),
        refused: (refused.get(account.uuid) ?? []).map(({ network, refused_until }) => ({
          network,
          untilDate: refused_until.toISOString(),
        })),
      }))
    : null,
})
