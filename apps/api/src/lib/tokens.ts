import { createHash, randomBytes } from 'node:crypto'

export const randomToken = (bits: 128 | 256): string => randomBytes(bits / 8).toString('base64url')

export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
