import { hash, randomBytes } from 'node:crypto'

export const randomToken = (bits: 128 | 256): string => randomBytes(bits / 8).toString('base64url')

export const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer')
