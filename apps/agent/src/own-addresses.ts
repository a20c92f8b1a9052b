import { lookup } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

const lookupWithin = 1_000

/** Addresses whose connections are never cut. If DNS fails, the control plane's last known addresses count. */
export function createOwnAddresses(url: string, resolvConf = '/etc/resolv.conf') {
  let control: string[] = []
  return async (): Promise<ReadonlySet<string>> => {
    const { hostname } = new URL(url)
    const resolved = await Promise.race([
      lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []),
      sleep(lookupWithin, []),
    ])
    if (resolved.length > 0) control = resolved.map(({ address }) => address)
    const resolvers = await readFile(resolvConf, 'utf8').catch(() => '')
    const interfaces = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    return new Set([
      ...interfaces.map(({ address }) => address),
      ...[...resolvers.matchAll(/^\s*nameserver\s+(\S+)/gm)].map(([, address = '']) => address),
      ...control,
    ])
  }
}
