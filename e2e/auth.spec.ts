import { changePassword } from '@kelid/contract'
import { paths } from '../apps/web/src/lib/paths.ts'
import { newPerson } from './people.ts'
import { beside, button, field, heading, notice, storedItem, waitForHydration } from './see.ts'
import { asReseller, expect, test } from './test.ts'
import { holdFiles } from './wire.ts'

test('a user signs up, logs in and logs out', async ({ page, say }) => {
  const { email, password } = newPerson()
  const fill = async () => {
    await field(page, say('auth.email')).fill(email)
    await field(page, say('auth.password')).fill(password)
  }
  await page.goto(paths.signUp)
  await expect(button(page, say('auth.signUp'))).toBeDisabled()
  await fill()
  await button(page, say('auth.signUp')).click()
  await expect(notice(page, say('auth.signedUp'))).toBeVisible()
  await page.waitForURL(paths.signIn)

  await expect(button(page, say('auth.signIn'))).toBeDisabled()
  await fill()
  await button(page, say('auth.signIn')).click()
  await expect(notice(page, say('auth.signedIn'))).toBeVisible()
  await page.waitForURL(paths.dashboard)
  await expect(heading(page, say('overview.title'))).toBeVisible()
  expect(JSON.parse((await storedItem(page, 'kelid.session')) ?? '')).toEqual({ token: expect.any(String) })

  await page.getByRole('link', { name: say('shell.settings') }).click()
  await expect(page.getByText(email)).toBeVisible()
  await button(page, say('settings.signOut')).click()
  await expect(page.getByText(say('settings.signedOut'))).toBeVisible()
  await expect(page).toHaveURL(paths.settings)
  expect(await storedItem(page, 'kelid.session')).toBeNull()
})

test('input typed before the scripts arrive is kept', async ({ page, say, reseller }) => {
  const letGo = await holdFiles(page, '**/assets/*.js')
  await page.goto(paths.signIn, { waitUntil: 'commit' })
  const email = field(page, say('auth.email'))
  const password = field(page, say('auth.password'))
  await email.pressSequentially(reseller.email)
  await password.pressSequentially(reseller.password.slice(0, -1))
  letGo()
  await expect(button(page, say('auth.signIn'))).toBeEnabled()
  await password.pressSequentially(reseller.password.slice(-1))
  await expect(email).toHaveValue(reseller.email)
  await button(page, say('auth.signIn')).click()
  await expect(notice(page, say('auth.signedIn'))).toBeVisible()
})

test('rules are fetched when the form is used, and again after a failure', async ({
  page,
  say,
  reseller,
}) => {
  const rules = '**/assets/calls-*.js'
  const asked: string[] = []
  await page.route(rules, (route) => {
    asked.push(route.request().url())
    return route.abort()
  })
  await page.goto(paths.signIn, { waitUntil: 'networkidle' })
  expect(asked).toEqual([])
  const password = field(page, say('auth.password'))
  await field(page, say('auth.email')).fill(reseller.email)
  await password.fill(reseller.password.slice(0, -1))
  await expect(notice(page, say('client.chunkFailed'))).toBeVisible()
  await expect(button(page, say('auth.signIn'))).toBeDisabled()

  await page.unroute(rules)
  await password.press('End')
  await password.pressSequentially(reseller.password.slice(-1))
  await password.press('Enter')
  await expect(notice(page, say('auth.signedIn'))).toBeVisible()
})

test('invalid input is reported at the field and in a notification', async ({ page, say }) => {
  await page.goto(paths.signUp)
  await waitForHydration(page)
  const email = field(page, say('auth.email'))
  const password = field(page, say('auth.password'))
  await email.fill('nobody')
  await password.fill('short')
  await email.press('Enter')
  await expect(notice(page, say('client.incompleteInformation'))).toBeVisible()
  await expect(await beside(email)).toHaveText(say('rules.email'))
  await expect(await beside(password)).toHaveText(say('rules.password'))
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(button(page, say('auth.signUp'))).toBeDisabled()
})

test('a password can be shown, and input survives a refusal', async ({ page, say, reseller }) => {
  await page.goto(paths.signIn)
  await waitForHydration(page)
  const password = field(page, say('auth.password'))
  await field(page, say('auth.email')).fill(reseller.email)
  await password.fill('Wrong-1-password')
  await button(page, say('ui.showPassword')).click()
  await expect(password).toHaveAttribute('type', 'text')
  await button(page, say('ui.hidePassword')).click()
  await expect(password).toHaveAttribute('type', 'password')

  await button(page, say('auth.signIn')).click()
  await expect(notice(page, say('errors.WRONG_CREDENTIALS'))).toBeVisible()
  await expect(field(page, say('auth.email'))).toHaveValue(reseller.email)
  await expect(password).toHaveValue('Wrong-1-password')
  await password.fill(reseller.password)
  await password.press('Enter')
  await page.waitForURL(paths.dashboard)
})

asReseller('a session that was ended elsewhere leads to the log-in', async ({ page, say, reseller }) => {
  await page.goto(paths.dashboard)
  await expect(heading(page, say('overview.title'))).toBeVisible()
  const other = await reseller.again()
  await other.call(changePassword, {
    oldPassword: reseller.password,
    newPassword: newPerson().password,
  })
  await page.reload()
  await expect(heading(page, say('auth.signInTitle'))).toBeVisible()
})
