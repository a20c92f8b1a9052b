import { paths } from '../apps/web/src/lib/paths.ts'
import { codeSentTo, givePhone, smsPath } from './phones.ts'
import { button, field, heading, notice } from './see.ts'
import { expect, test } from './test.ts'
import { rewriteConfig } from './wire.ts'

const toPersian = (digits: string) => digits.replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? '')

test('a code by SMS logs in, in any digits', async ({ page, say, reseller }) => {
  const userPhone = await givePhone(reseller.email)
  await page.goto(smsPath(userPhone))
  await expect(page.getByText(userPhone)).toBeVisible()
  await button(page, say('sms.send')).click()
  await expect(notice(page, say('sms.sent'))).toBeVisible()
  const code = await codeSentTo(userPhone)
  expect(code).toMatch(/^\d{4}$/)

  const otp = field(page, say('sms.code'))
  const logIn = button(page, say('auth.signIn'))
  await otp.fill(code === '0000' ? '1111' : '0000')
  await logIn.click()
  await expect(notice(page, say('errors.WRONG_CODE'))).toBeVisible()
  await otp.fill('12')
  await expect(logIn).toBeDisabled()
  await otp.fill(toPersian(code))
  await expect(otp).toHaveValue(code)
  await logIn.click()
  await expect(notice(page, say('auth.signedIn'))).toBeVisible()
  await page.waitForURL(paths.dashboard)
  await expect(heading(page, say('overview.title'))).toBeVisible()
})

test('an address without a phone number links to the password form', async ({ page, say }) => {
  await page.goto(smsPath('123'))
  await expect(page.getByText(say('sms.badPhone'))).toBeVisible()
  await page.getByRole('link', { name: say('sms.byPassword') }).click()
  await expect(page).toHaveURL(paths.signIn)
})

test('the page says if SMS is switched off', async ({ page, say }) => {
  await rewriteConfig(page, { smsEnabled: false })
  await page.goto(smsPath('09120000000'))
  await expect(page.getByText(say('sms.off'))).toBeVisible()
})
