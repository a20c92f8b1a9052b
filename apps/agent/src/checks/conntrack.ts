import { readFile } from 'node:fs/promises'
import type { Check } from './trouble.ts'

const fullAt = 0.9
const folder = '/proc/sys/net/netfilter'

export const conntrackTrouble = (count: number, max: number) =>
  count >= max * fullAt ? ({ kind: 'conntrack', detail: `${count} of ${max}` } as const) : undefined

/** Without the kernel module there is no table and no file. */
export const checkConntrack: Check = async () => {
  const read = (name: string) => readFile(`${folder}/nf_conntrack_${name}`, 'utf8').catch(() => null)
  const [count, max] = await Promise.all([read('count'), read('max')])
  return count && max ? conntrackTrouble(Number(count), Number(max)) : undefined
}
