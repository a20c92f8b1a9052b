import { BlockList } from 'node:net'
import { Refusal } from '@kelid/contract'

/** Loopback, link-local (with the metadata address), multicast, broadcast and "this network". */
const reserved = new BlockList()
reserved.addSubnet('0.0.0.0', 8)
reserved.addSubnet('127.0.0.0', 8)
reserved.addSubnet('169.254.0.0', 16)
reserved.addSubnet('224.0.0.0', 4)
reserved.addSubnet('240.0.0.0', 4)
reserved.addAddress('100.100.100.200')

export function refuseForbiddenTarget(address: string, isAllowed: boolean): void {
  if (!isAllowed && reserved.check(address, 'ipv4')) throw new Refusal('FORBIDDEN_TARGET', { address })
}
