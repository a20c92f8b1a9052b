import {
  clearUserContact,
  getUser,
  getUserDetail,
  newAccount,
  setContact,
  setEnabled,
  setUserSuspended,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'

const product = productForAllTests(() => ({ env: { KELID_BRAND_CONTACT: 'help@example.com' } }))
beforeAll(() => product.server())

const seller = () => product.person({ points: 1_000 })
const contactOf = async (person: Person) => (await person.ask(getUser, {})).userContact

test("a reseller's contact is on the page, in the headers and in the entry of their customers, nobody else's", async () => {
  const [reseller, other] = [await seller(), await seller()]
  const { accountUUID, accountSubscriptionPath: path } = await reseller.ask(newAccount, directAccount)
  const foreign = await other.ask(newAccount, directAccount)
  const page = async (link = path) => (await product.raw(link, { headers: { accept: 'text/html' } })).text()
  const supportUrl = async () => (await product.raw(path)).headers.get('support-url')
  expect(await contactOf(reseller)).toBe('')
  expect(await page()).toContain('href="mailto:help@example.com"')

  expect(await reseller.ask(setContact, { userContact: ' https://t.me/ali_shop ' })).toEqual({
    userContact: 'https://t.me/ali_shop',
  })
  expect(await contactOf(reseller)).toBe('https://t.me/ali_shop')
  expect(await page()).toContain('<a href="https://t.me/ali_shop" rel="noreferrer">')
  expect(await page()).not.toContain('help@example.com')
  expect(await supportUrl()).toBe('https://t.me/ali_shop')
  expect(await contactOf(other)).toBe('')
  expect(await page(foreign.accountSubscriptionPath)).toContain('help@example.com')

  await reseller.ask(setContact, { userContact: '@ali_shop' })
  expect(await page()).toContain('<dt>Support</dt><dd><bdi>@ali_shop</bdi></dd>')
  expect(await supportUrl()).toBeNull()
  await reseller.ask(setEnabled, { accountUUID, accountEnabled: false })
  expect(await page()).toContain('Support: <bdi>@ali_shop</bdi>')
  const entry = Buffer.from(await (await product.raw(path)).text(), 'base64').toString()
  expect(decodeURIComponent(new URL(entry).hash)).toBe('#Switched off by your provider · @ali_shop')

  await reseller.ask(setContact, { userContact: '' })
  expect(await page()).toContain('help@example.com')
})

test.each(['\u202ecod.ils', '\u2066x', 'a\u200fb', 'a\nb', 'a\tb', '\u0000', 'x'.repeat(101), null])(
  'the contact %j is refused',
  async (userContact) => {
    const reseller = await product.person()
    const { status, errorType } = await reseller.call(setContact, { userContact } as { userContact: string })
    expect([status, errorType]).toEqual([400, 'INCOMPLETE_INFORMATION'])
    expect(await contactOf(reseller)).toBe('')
  },
)

test('a script as contact is only ever text', async () => {
  const reseller = await seller()
  const { accountSubscriptionPath } = await reseller.ask(newAccount, directAccount)
  for (const userContact of ['javascript:alert(1)', '"><img src=x onerror=alert(1)>']) {
    await reseller.ask(setContact, { userContact })
    const body = await (
      await product.raw(accountSubscriptionPath, { headers: { accept: 'text/html' } })
    ).text()
    expect(body).not.toMatch(/<img|href="javascript:/i)
  }
})

test('a suspended reseller changes nothing', async () => {
  const reseller = await product.person()
  const { email: userEmail } = reseller
  await reseller.ask(setContact, { userContact: '@before' })
  await product.admin.ask(setUserSuspended, { userEmail, userSuspended: true, reason: 'unpaid' })
  expect((await reseller.call(setContact, { userContact: '@after' })).errorType).toBe('UNAUTHENTICATED')
  expect((await product.admin.ask(getUserDetail, { userEmail })).userContact).toBe('@before')
})

test('an administrator sees the contact and clears it, if it is still that one, and the audit log has it', async () => {
  const reseller = await product.person()
  const { email: userEmail } = reseller
  await reseller.ask(setContact, { userContact: 'https://phishing.example' })
  const { userContact: seen } = await product.admin.ask(getUserDetail, { userEmail })
  expect(seen).toBe('https://phishing.example')
  await reseller.ask(setContact, { userContact: '@good' })
  const clear = (basedOn?: string) => product.admin.call(clearUserContact, { userEmail, basedOn })
  expect((await clear(seen)).errorType).toBe('CHANGED_MEANWHILE')
  expect(await contactOf(reseller)).toBe('@good')
  expect((await clear('@good')).answer()).toMatchObject({ userEmail, userContact: '' })
  expect(await product.lastAudit()).toMatchObject({
    auditAction: 'clearusercontact',
    auditSubject: userEmail,
    auditDetail: { from: '@good', to: '' },
  })
  expect(await contactOf(reseller)).toBe('')
  await reseller.ask(setContact, { userContact: '@again' })
  expect((await reseller.call(clearUserContact, { userEmail })).errorType).toBe('ACCESS_DENIED')
  expect(await contactOf(reseller)).toBe('@again')
})
