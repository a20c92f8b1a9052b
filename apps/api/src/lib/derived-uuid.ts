/** A version 4 UUID from 16 bytes. */
export function uuidFrom(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(18, 20),
    hex.slice(20),
  ].join('-')
}
