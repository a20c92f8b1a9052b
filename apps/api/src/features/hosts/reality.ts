import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Reality } from '../../db/schema.ts'

interface Keys extends Reality {
  privateKey: string
}
interface RealityKeys {
  current: Keys
  /** Accepted until all apps have had time to fetch the current ones. */
  previous: Keys | null
}

const locationOf = (uuid: string) => `servers.reality_keys.${uuid}` as const

function newKeys(): Keys {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  return { privateKey: d, publicKey: x, shortId: randomBytes(8).toString('hex') }
}

export const publicPart = ({ publicKey, shortId }: Reality): Reality => ({ publicKey, shortId })

export function newRealityColumns(ctx: Context, uuid: string) {
  const current = newKeys()
  return {
    reality: JSON.stringify(publicPart(current)),
    reality_keys: sealKeys(ctx, uuid, { current, previous: null }),
  }
}

const sealKeys = (ctx: Context, uuid: string, keys: RealityKeys) =>
  ctx.seal.close(locationOf(uuid), JSON.stringify(keys))

export function openRealityKeys(
  ctx: Context,
  { uuid, reality_keys: sealed }: { uuid: string; reality_keys: Buffer | null },
): RealityKeys {
  if (!sealed) throw new Error(`server ${uuid} has no keys for REALITY`)
  return JSON.parse(ctx.seal.open(locationOf(uuid), sealed))
}
