import { getSshKey } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { fingerprintOf } from '../../lib/openssh.ts'
import { publicSshKey } from './product-key.ts'

export const provisioningRoutes = [
  bind(getSshKey, async ({ ctx }) => {
    const sshKey = await publicSshKey(ctx)
    return { sshKey, sshKeyFingerprint: fingerprintOf(sshKey) }
  }),
]
