import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'
import { Refusal } from '@kelid/contract'
import type { Context } from '../context.ts'

/** Special addresses of both families, plus cloud metadata addresses that are not link-local. */
const reserved = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  reserved.addSubnet(net, prefix, 'ipv4')
for (const metadata of ['100.100.100.200', '168.63.129.16', '192.0.0.192'])
  reserved.addAddress(metadata, 'ipv4')
for (const [net, prefix] of [
  ['::', 127],
  ['64:ff9b:1::', 48],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  reserved.addSubnet(net, prefix, 'ipv6')
for (const metadata of ['fd00:ec2::254', 'fd20:ce::254']) reserved.addAddress(metadata, 'ipv6')

/** What only neighbours of a host can reach; strangers come from anywhere. */
const inner = new BlockList()
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  inner.addSubnet(net, prefix, 'ipv4')
inner.addSubnet('fc00::', 7, 'ipv6')

/** IPv6 prefixes that embed an IPv4 address, and the groups that contain it. */
const carriers: readonly { begins: readonly number[]; at: number; isInverted?: true }[] = [
  { begins: [0, 0, 0, 0, 0, 0xffff], at: 6 }, // mapped
  { begins: [0, 0, 0, 0, 0xffff, 0], at: 6 }, // translated
  { begins: [0, 0, 0, 0, 0, 0], at: 6 }, // compatible
  { begins: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 }, // NAT64
  { begins: [0x2002], at: 1 }, // 6to4
  { begins: [0x2001, 0], at: 6, isInverted: true }, // Teredo
]

/** Anything that is not an address is forbidden too. */
export const isForbidden = (address: string): boolean => isIn(reserved, address)

function isIn(list: BlockList, address: string): boolean {
  if (isIPv4(address)) return list.check(address, 'ipv4')
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return true
  return list.check(plain, 'ipv6') || carriedIn(plain).some((carried) => list.check(carried, 'ipv4'))
}

export const isForbiddenTarget = ({ config }: Pick<Context, 'config'>, address: string): boolean =>
  !config.KELID_ALLOW_RESERVED_TARGETS && isForbidden(address)

export function refuseForbiddenTarget(ctx: Pick<Context, 'config'>, address: string): void {
  if (isForbiddenTarget(ctx, address)) throw new Refusal('FORBIDDEN_TARGET', { address })
}

/** A site that hosts fetch for strangers must not lead them into a private network. */
export const isForbiddenSite = ({ config }: Pick<Context, 'config'>, address: string): boolean =>
  !config.KELID_ALLOW_RESERVED_TARGETS && (isForbidden(address) || isIn(inner, address))

/** Runs check the name again, because it can lead elsewhere by then. */
export async function refuseForbiddenSite(
  ctx: Pick<Context, 'config' | 'resolve'>,
  name: string | undefined,
): Promise<void> {
  const addresses = name ? await ctx.resolve(name) : []
  for (const address of addresses)
    if (isForbiddenSite(ctx, address)) throw new Refusal('FORBIDDEN_TARGET', { address })
}

function carriedIn(address: string): string[] {
  const groups = groupsOf(address)
  return carriers
    .filter(({ begins }) => begins.every((group, index) => groups[index] === group))
    .map(({ at, isInverted }) => {
      const halves = groups.slice(at, at + 2).map((group) => (isInverted ? group ^ 0xffff : group))
      return halves.flatMap((half) => [half >> 8, half & 255]).join('.')
    })
}

function groupsOf(address: string): number[] {
  // Also converts a dotted end into two groups.
  const { hostname } = new URL(`http://[${new SocketAddress({ address, family: 'ipv6' }).address}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const parse = (part = '') => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : [])
  const [before, after] = [parse(head), parse(tail)]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}
