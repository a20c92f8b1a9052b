import type { Context } from '../../context.ts'
import { createSshKey, type SshKeyPair } from '../../lib/openssh.ts'
import { findKey, keepKey } from './product-key.store.ts'

const location = 'ssh_key.private.1'

export async function productKey(ctx: Context): Promise<SshKeyPair> {
  const storedKey = await findKey(ctx.db)
  if (storedKey)
    return { privateKey: ctx.seal.open(location, storedKey.private), publicKey: storedKey.public }
  const newKey = createSshKey('kelid')
  await keepKey(ctx.db, {
    private: ctx.seal.close(location, newKey.privateKey),
    public: newKey.publicKey,
    created_at: ctx.clock.now(),
  })
  return productKey(ctx)
}

export const publicSshKey = async (ctx: Context): Promise<string> => (await productKey(ctx)).publicKey
