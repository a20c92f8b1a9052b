import { getSshKey } from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { createSshKey, fingerprintOf } from '../../lib/openssh.ts'
import { pinHostKey } from './host-keys.ts'
import { bothKinds } from './hosts.fixture.ts'

const product = productForAllTests()

test("the product's own key is one line for authorized_keys, the same at every look, and only its public half", async () => {
  const productKey = await product.admin.ask(getSshKey, {})
  expect(productKey.sshKey).toMatch(/^ssh-ed25519 AAAA[\w+/=]+ kelid$/)
  expect(productKey.sshKeyFingerprint).toMatch(/^SHA256:[\w+/]{43}$/)
  expect(await product.admin.ask(getSshKey, {})).toEqual(productKey)
})

test.each(bothKinds)(
  'the pinned key of a $kind is shown, and an administrator who saw it can accept another',
  async (kind) => {
    const uuid = await kind.make(product)
    const { admin } = product
    expect((await kind.hostKey(admin, uuid)).answer()).toEqual({
      hostKeyFingerprint: '',
      hostKeyDate: null,
      hostKeyTrustsProduct: false,
    })
    expect((await kind.acceptKey(admin, uuid)).errorType).toBe('RESOURCE_NOT_FOUND')

    const { ipv4 } = await product.row(kind.table, uuid)
    const { publicKey } = createSshKey('host')
    await pinHostKey(product.ctx, uuid, ipv4, publicKey)
    const pinnedKey = (await kind.hostKey(admin, uuid)).answer()
    expect(pinnedKey).toMatchObject({
      hostKeyFingerprint: fingerprintOf(publicKey),
      hostKeyDate: product.clock.now().toISOString(),
    })
    expect((await kind.acceptKey(admin, uuid, 'SHA256:another')).errorType).toBe('CHANGED_MEANWHILE')
    expect((await kind.hostKey(admin, uuid)).answer()).toEqual(pinnedKey)

    expect(
      (await kind.acceptKey(admin, uuid, pinnedKey.hostKeyFingerprint)).answer().hostKeyFingerprint,
    ).toBe('')
    expect((await kind.acceptKey(admin, uuid, pinnedKey.hostKeyFingerprint)).errorType).toBe(
      'CHANGED_MEANWHILE',
    )
    expect(await product.lastAudit()).toMatchObject({
      auditAction: kind.deed('accepthosthostkey'),
      auditSubject: uuid,
      auditDetail: { from: pinnedKey.hostKeyFingerprint },
    })
  },
)
