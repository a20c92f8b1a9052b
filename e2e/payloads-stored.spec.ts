import { adjustUserCredit, newAccount, signIn } from '@kelid/contract'
import { wordsOf } from '../apps/api/src/features/subscription/page-words.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { callAt } from './call.ts'
import { expectHarmless, interpolation, markup, payload, watch } from './payload.ts'
import { asAdmin } from './people.ts'
import { testedProduct } from './product/tested-product.ts'
import { beside, button, field, heading } from './see.ts'
import { expect, asReseller as test } from './test.ts'

const hostile = `${markup}${interpolation}`

test("an administrator's reason is harmless in the statement", async ({ page, reseller }) => {
  const seen = watch(page)
  const gift = { userEmail: reseller.email, amount: 1 }
  await expect(asAdmin()(adjustUserCredit, { ...gift, reason: payload })).rejects.toMatchObject({
    type: 'INCOMPLETE_INFORMATION',
  })
  await asAdmin()(adjustUserCredit, { ...gift, reason: hostile })
  await page.goto(paths.statement)
  await expect(page.getByRole('table')).toContainText(hostile)
  await expectHarmless(page, seen)
})

test('a user agent is harmless in the sessions', async ({ page, say, reseller }) => {
  const seen = watch(page)
  const { email, password } = reseller
  await callAt(testedProduct().url, { 'user-agent': hostile })(signIn, { email, password })
  await page.goto(paths.settings)
  await expect(page.getByTitle(hostile)).toHaveText(say('settings.unknownBrowser'))
  await expectHarmless(page, seen)
})

test('names and searches are harmless, typed and from the address', async ({ page, say, reseller }) => {
  const seen = watch(page)
  const account = { accountVPNType: 'hysteria2-direct', accountTunnelEnabled: false } as const
  await expect(
    reseller.call(newAccount, {
      ...account,
      accountTunnelType: '',
      accountDuration: 1,
      accountName: hostile,
    }),
  ).rejects.toMatchObject({ type: 'INCOMPLETE_INFORMATION' })
  await page.goto(paths.newAccount)
  const name = field(page, say('accounts.name'))
  await name.fill(hostile)
  await name.blur()
  await expect(await beside(name)).toHaveText(say('rules.atMost35'))
  await expect(button(page, say('accounts.create'))).toBeDisabled()
  await expectHarmless(page, seen)

  await reseller.account()
  await page.goto(`${paths.accounts}?search=${encodeURIComponent(hostile)}&state=<svg>`)
  await expect(field(page, say('accounts.search'))).toHaveValue(hostile)
  await expectHarmless(page, seen)
})

test('forged addresses are harmless', async ({ page, say, language }) => {
  const seen = watch(page)
  const encoded = encodeURIComponent(payload)
  await page.goto(paths.smsCheck.replace(':phone', encoded))
  await expect(page.getByText(say('sms.badPhone'))).toBeVisible()
  await page.goto(`/${encoded}?lng=${encoded}`)
  await expect(page.getByRole('main').getByRole('link')).toBeVisible()
  await page.goto(`/sub/${encodeURIComponent('<svg onload=hit_=1>\u202e')}?lng=${language}`)
  await expect(heading(page, wordsOf[language].missingTitle)).toBeVisible()
  expect(await page.content()).not.toContain('hit_')
  expect(seen).toEqual([])
})
