import { randomUUID } from 'node:crypto'
import { Client, credentials } from '@grpc/grpc-js'
import type { VpnType } from '@kelid/contract'
import * as messages from './core-messages.ts'
import { openRules } from './core-rules.ts'
import { inParallel, tryAll } from './in-parallel.ts'
import { changesBetween, type Users } from './reconcile.ts'
import { coreAccounts } from './vpn-types.ts'

const answerWithin = 5_000
const bootMark = 'boot-'
const empty = Buffer.alloc(0)

export interface Bytes {
  up: number
  down: number
}

const handler = '/xray.app.proxyman.command.HandlerService'
const stats = '/xray.app.stats.command.StatsService'

export type Core = ReturnType<typeof openCore>
export type ServerCore = ReturnType<typeof openServerCore>

/** The core's API on this host. Every call throws when the core does not answer. */
export function openCore(address: string) {
  // The library's default backoff takes about ten seconds to find a restarted core.
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.min_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.max_receive_message_length': 64 * 1024 * 1024,
  })
  const ask: messages.Ask = <T>(path: string, body: Buffer, read: (bytes: Buffer) => T) =>
    new Promise<T>((resolve, reject) => {
      const deadline = new Date(Date.now() + answerWithin)
      client.makeUnaryRequest(
        path,
        (bytes: Buffer) => bytes,
        read,
        body,
        { deadline },
        (error, answer) => (error ? reject(error) : resolve(answer as T)),
      )
    })
  const namesOnline = async () =>
    (await ask(`${stats}/GetAllOnlineUsers`, empty, messages.onlineResponse.decode)).users
  const idOf = (name: string) => name.split('>>>')[1] ?? name
  async function addressesOf(names: readonly string[]): Promise<Map<string, Record<string, number>>> {
    const addressesByAccount = new Map<string, Record<string, number>>()
    await inParallel(names, async (name) => {
      const body = messages.statRequest.encode({ name })
      const { ips } = await ask(`${stats}/GetStatsOnlineIpList`, body, messages.addressesResponse.decode)
      const plain = Object.entries(ips).map(([address, at]) => [address.replace(/^\[|\]$/g, ''), at])
      addressesByAccount.set(idOf(name), Object.fromEntries(plain))
    })
    return addressesByAccount
  }
  const outboundTags = async () =>
    (await ask(`${handler}/ListOutbounds`, empty, messages.outboundsResponse.decode)).outbounds.map(
      (outbound) => outbound.tag,
    )
  return {
    ...{ ask, outboundTags },
    /**
     * Identifies one start of the core, to which its counters belong. The name is stored in the core as an outbound
     * without a rule, so it ends with the core and survives the agent and clock changes.
     */
    async boot(): Promise<string> {
      const bootId = (await outboundTags()).find((tag) => tag.startsWith(bootMark))?.slice(bootMark.length)
      if (bootId) return bootId
      const boot = randomUUID()
      const settings = { type: 'xray.proxy.blackhole.Config', value: empty }
      const outbound = { tag: bootMark + boot, proxy_settings: settings }
      await ask(`${handler}/AddOutbound`, messages.addOutbound.encode({ outbound }), () => undefined)
      return boot
    },
    async usage(): Promise<Map<string, Bytes>> {
      const body = messages.statsRequest.encode({ pattern: 'user>>>' })
      const { stat } = await ask(`${stats}/QueryStats`, body, messages.statsResponse.decode)
      const usageByAccount = new Map<string, Bytes>()
      for (const { name, value } of stat) {
        const [, id = '', kind, way] = name.split('>>>')
        if (kind !== 'traffic') continue
        const bytes = usageByAccount.get(id) ?? { up: 0, down: 0 }
        bytes[way === 'uplink' ? 'up' : 'down'] = value
        usageByAccount.set(id, bytes)
      }
      return usageByAccount
    },
    /** Accounts with an open connection, removed ones too. */
    onlineIds: async (): Promise<ReadonlySet<string>> => new Set((await namesOnline()).map(idOf)),
    /** By account: addresses with an open connection, and when the last one was opened, in seconds. */
    online: async () => addressesOf(await namesOnline()),
    onlineOf: async (ids: ReadonlySet<string>) =>
      addressesOf((await namesOnline()).filter((name) => ids.has(idOf(name)))),
    async uptimeSeconds(): Promise<number> {
      return (await ask(`${stats}/GetSysStats`, empty, messages.systemResponse.decode)).Uptime
    },
    close: () => client.close(),
  }
}

/** Every account is in all inbounds of customers; `tags` says which are there now. */
export function openServerCore(address: string, vpnType: VpnType, tags: () => Promise<readonly string[]>) {
  const core = openCore(address)
  const { ask } = core
  const account = coreAccounts[vpnType]
  const alter = (tag: string, operation: messages.TypedMessage) =>
    ask(`${handler}/AlterInbound`, messages.alterInbound.encode({ tag, operation }), () => undefined)

  const addOne = (tag: string, id: string, secret: string) => {
    const user = { email: id, account: { type: account.messageType, value: account.encode(secret) } }
    const value = messages.addUser.encode({ user })
    return alter(tag, { type: 'xray.app.proxyman.command.AddUserOperation', value })
  }
  const removeOne = (tag: string, id: string) => {
    const value = messages.removeUser.encode({ email: id })
    return alter(tag, { type: 'xray.app.proxyman.command.RemoveUserOperation', value })
  }
  async function usersOf(tag: string): Promise<Users> {
    const body = messages.usersRequest.encode({ tag })
    const { users } = await ask(`${handler}/GetInboundUsers`, body, messages.usersResponse.decode)
    return new Map(users.map(({ email, account: own }) => [email, own ? account.secretIn(own.value) : '']))
  }
  async function level(tag: string, users: Users): Promise<void> {
    const { remove, add } = changesBetween(await usersOf(tag), users)
    const failure =
      (await tryAll(remove, (id) => removeOne(tag, id))) ??
      (await tryAll(add, ([id, secret]) => addOne(tag, id, secret)))
    if (failure) throw failure
  }
  async function countOf(tag: string): Promise<number> {
    const body = messages.usersRequest.encode({ tag })
    return (await ask(`${handler}/GetInboundUsersCount`, body, messages.countResponse.decode)).count
  }
  return {
    ...core,
    ...openRules(ask),
    /** A way out whose sockets have this mark. */
    async addMarkedOutbound(tag: string, mark: number): Promise<void> {
      const settings = { stream_settings: { protocol_name: 'tcp', socket_settings: { mark } } }
      const sender_settings = {
        type: 'xray.app.proxyman.SenderConfig',
        value: messages.senderConfig.encode(settings),
      }
      const proxy_settings = { type: 'xray.proxy.freedom.Config', value: empty }
      const body = messages.addOutbound.encode({ outbound: { tag, sender_settings, proxy_settings } })
      await ask(`${handler}/AddOutbound`, body, () => undefined)
    },
    async removeOutbound(tag: string): Promise<void> {
      await ask(`${handler}/RemoveOutbound`, messages.removeOutbound.encode({ tag }), () => undefined)
    },
    /** Those of the first inbound; the others get the same. */
    async users(): Promise<Users> {
      const [first = '', ...others] = await tags()
      const users = await usersOf(first)
      for (const tag of others) await level(tag, users)
      return users
    },
    /** null if the inbounds differ. */
    async count(): Promise<number | null> {
      const counts = await Promise.all((await tags()).map(countOf))
      return new Set(counts).size === 1 ? (counts[0] ?? null) : null
    },
    async remove(ids: readonly string[]) {
      const all = (await tags()).flatMap((tag) => ids.map((id) => [tag, id] as const))
      return tryAll(all, ([tag, id]) => removeOne(tag, id).catch(unless(/not found/)))
    },
    async add(users: readonly (readonly [string, string])[]) {
      const all = (await tags()).flatMap((tag) => users.map((user) => [tag, ...user] as const))
      return tryAll(all, ([tag, id, secret]) => addOne(tag, id, secret).catch(unless(/already exists/)))
    },
  }
}

/** The core uses one code for all errors, so only the text identifies a harmless one. */
const unless = (harmless: RegExp) => (error: Error) => {
  if (!harmless.test(error.message)) throw error
}
