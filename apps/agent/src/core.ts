import { randomUUID } from 'node:crypto'
import { Client, credentials } from '@grpc/grpc-js'
import type { VpnType } from '@kelid/contract'
import * as messages from './core-messages.ts'
import { openRules } from './core-rules.ts'
import { inParallel, tryAll } from './in-parallel.ts'
import { coreAccounts } from './vpn-types.ts'

const tag = 'vpn'
const answerWithin = 5_000
const bootMark = 'boot-'
const empty = Buffer.alloc(0)

export type Users = ReadonlyMap<string, string>
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
  return {
    ask,
    /**
     * Identifies one start of the core, to which its counters belong. The name is stored in the core as an outbound
     * without a rule, so it ends with the core and survives the agent and clock changes.
     */
    async boot(): Promise<string> {
      const { outbounds } = await ask(`${handler}/ListOutbounds`, empty, messages.outboundsResponse.decode)
      const bootId = outbounds.find(({ tag: its }) => its.startsWith(bootMark))?.tag.slice(bootMark.length)
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

export function openServerCore(address: string, vpnType: VpnType) {
  const core = openCore(address)
  const { ask } = core
  const account = coreAccounts[vpnType]
  const alter = (operation: messages.TypedMessage) =>
    ask(`${handler}/AlterInbound`, messages.alterInbound.encode({ tag, operation }), () => undefined)

  const addOne = (id: string, secret: string) => {
    const user = { email: id, account: { type: account.messageType, value: account.encode(secret) } }
    const value = messages.addUser.encode({ user })
    return alter({ type: 'xray.app.proxyman.command.AddUserOperation', value })
  }
  const removeOne = (id: string) => {
    const value = messages.removeUser.encode({ email: id })
    return alter({ type: 'xray.app.proxyman.command.RemoveUserOperation', value })
  }
  return {
    ...core,
    ...openRules(ask),
    async users(): Promise<Users> {
      const body = messages.usersRequest.encode({ tag })
      const { users } = await ask(`${handler}/GetInboundUsers`, body, messages.usersResponse.decode)
      return new Map(users.map(({ email, account: own }) => [email, own ? account.secretIn(own.value) : '']))
    },
    async count(): Promise<number> {
      const body = messages.usersRequest.encode({ tag })
      return (await ask(`${handler}/GetInboundUsersCount`, body, messages.countResponse.decode)).count
    },
    remove: (ids: readonly string[]) => tryAll(ids, (id) => removeOne(id).catch(unless(/not found/))),
    add: (users: readonly (readonly [string, string])[]) =>
      tryAll(users, ([id, secret]) => addOne(id, secret).catch(unless(/already exists/))),
  }
}

/** The core uses one code for all errors, so only the text identifies a harmless one. */
const unless = (harmless: RegExp) => (error: Error) => {
  if (!harmless.test(error.message)) throw error
}
