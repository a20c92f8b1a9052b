const encodeTagged = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

/** Short form below 128; otherwise the number of length bytes and the length. */
function lengthOf(length: number): number[] {
  if (length < 0x80) return [length]
  const bytes = [...Buffer.from(length.toString(16).padStart(6, '0'), 'hex')]
  const significant = bytes.slice(bytes.findIndex((byte) => byte !== 0))
  return [0x80 | significant.length, ...significant]
}

export const sequence = (...items: readonly Buffer[]): Buffer => encodeTagged(0x30, ...items)
export const set = (item: Buffer): Buffer => encodeTagged(0x31, item)
export const octets = (bytes: Buffer): Buffer => encodeTagged(0x04, bytes)
export const utf8 = (text: string): Buffer => encodeTagged(0x0c, Buffer.from(text))
export const yes = encodeTagged(0x01, Buffer.from([0xff]))

/** The first bit must be 0, otherwise the number is negative. */
export const integer = (bytes: Buffer): Buffer => encodeTagged(0x02, bytes)

export const bits = (bytes: Buffer, unused = 0): Buffer => encodeTagged(0x03, Buffer.from([unused]), bytes)

export const explicitTag = (number: number, item: Buffer): Buffer => encodeTagged(0xa0 | number, item)
export const instead = (number: number, bytes: Buffer): Buffer => encodeTagged(0x80 | number, bytes)

export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return encodeTagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(inSevens)]))
}

const inSevens = (value: number): number[] =>
  value < 0x80 ? [value] : [...inSevens(value >> 7).map((byte) => byte | 0x80), value & 0x7f]

/** X.509 requires UTCTime before 2050 and GeneralizedTime from then on. */
export function time(at: Date): Buffer {
  const text = `${at.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`
  const isSoon = at.getUTCFullYear() < 2050
  return isSoon ? encodeTagged(0x17, Buffer.from(text.slice(2))) : encodeTagged(0x18, Buffer.from(text))
}
