import type { Seal } from '../../lib/seal.ts'
import type { AuditEnd, LastLine } from './audit.store.ts'

export const macOf = (seal: Seal, { line, hash }: Omit<AuditEnd, 'mac'>): Buffer =>
  seal.fingerprint('audit end', `${line} ${hash.toString('hex')}`)

export const isOurs = (seal: Seal, end: AuditEnd): boolean =>
  end.mac !== null && macOf(seal, end).equals(end.mac)

export function faultOfEnd(
  seal: Seal,
  { end, last }: { end: AuditEnd | undefined; last: LastLine | undefined },
): string | null {
  if (!end || !isOurs(seal, end)) return 'the mark of its end is not what this installation wrote'
  if (last?.id === end.line && last.hash.equals(end.hash)) return null
  return `${end.line} lines were written, and it ends with line ${last?.id ?? 0}`
}
