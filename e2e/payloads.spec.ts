import { type Envelope, newAccount, signIn } from '@kelid/contract'
import { accountPath, paths } from '../apps/web/src/lib/paths.ts'
import { sidewaysScroll } from './examine.ts'
import { expectHarmless, payload, poisonReplies, watch, withoutGaps } from './payload.ts'
import { accountRows, button, field } from './see.ts'
import { asFull } from './shared-resellers.ts'
import { expect, test } from './test.ts'
import { refuse, rewriteConfig } from './wire.ts'

/** Puts the payload into a refusal, of a type that the client knows or not. */
const saying = (errorType: string) => (envelope: Envelope) => ({
  response: {
    ...envelope.response,
    message: payload,
    error: {
      errorContent: [payload],
      errorAutoHide: false,
      errorType,
      errorParameters: { field: payload },
    },
  },
})

test("the operator's texts are harmless", async ({ page, say }) => {
  const seen = watch(page)
  await rewriteConfig(page, { brandName: payload, brandContact: payload })
  await page.goto(paths.home)
  await expect(page.getByRole('banner')).toContainText('onerror')
  await expectHarmless(page, seen)
  await page.goto(paths.settings)
  await expect(page.getByText(say('settings.contactText'))).toContainText('onerror')
  await expectHarmless(page, seen)
  expect(await sidewaysScroll(page)).toBe(0)
})

test('the text of a refusal is harmless', async ({ page, say }) => {
  const seen = watch(page)
  await refuse(page, signIn, 'WRONG_CREDENTIALS', {}, saying('OF_NO_KNOWN_TYPE'))
  await page.goto(paths.signIn)
  await field(page, say('auth.email')).fill('ali@example.com')
  await field(page, say('auth.password')).fill('Aa1-aaaaaaa')
  await button(page, say('auth.signIn')).click()
  await expect(page.getByRole('alert')).toContainText('onerror')
  await expectHarmless(page, seen, withoutGaps)
  expect(await sidewaysScroll(page)).toBe(0)
})

asFull('texts are harmless in the list and the bulk renewal', async ({ page, say }) => {
  const seen = watch(page)
  await poisonReplies(page)
  await page.goto(paths.accounts)
  await accountRows(page).first().getByRole('checkbox').check()
  await expectHarmless(page, seen)
  await button(page, say('accounts.bulk.renew')).click()
  await expect(page.getByRole('dialog')).toContainText('onerror')
  await expectHarmless(page, seen)
  expect(await sidewaysScroll(page)).toBe(0)
})

asFull('an account with its dialogs', async ({ page, say, full }) => {
  const seen = watch(page)
  await poisonReplies(page)
  await rewriteConfig(page, { publicUrl: payload })
  await page.goto(accountPath(full.disabled.accountUUID))
  for (const action of ['qr.enlarge', 'renew.action', 'delete.action'] as const) {
    await button(page, say(`accounts.${action}`)).click()
    await expect(page.getByRole('dialog')).toContainText('onerror')
    await expectHarmless(page, seen)
    expect(await sidewaysScroll(page)).toBe(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

asFull('texts are harmless in the form for a new account', async ({ page, say }) => {
  const seen = watch(page)
  await poisonReplies(page)
  await refuse(page, newAccount, 'UNKNOWN_FIELD', {}, saying('UNKNOWN_FIELD'))
  await page.goto(paths.newAccount)
  await field(page, say('accounts.name')).fill('ali')
  await field(page, say('accounts.vpnType')).selectOption('hysteria2-direct')
  await field(page, say('accounts.country')).selectOption('276')
  await button(page, say('accounts.create')).click()
  await expect(page.getByRole('alert').first()).toContainText('onerror')
  await expectHarmless(page, seen)
  expect(await sidewaysScroll(page)).toBe(0)
})
