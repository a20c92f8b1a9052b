import { getUserAccounts } from '@kelid/contract'
import type { Locator, Page } from '@playwright/test'
import { paths } from '../apps/web/src/lib/paths.ts'
import { newPerson } from './people.ts'
import { codeSentTo, givePhone, smsPath } from './phones.ts'
import { accountRows, button, field, heading, notice, waitForHydration } from './see.ts'
import { asReseller, expect, test } from './test.ts'

const mostSteps = 60

/** Reaches the target by Tab and checks that the focus is visible. */
async function tabTo(target: Locator): Promise<void> {
  const page = target.page()
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  for (let step = 0; step < mostSteps && !(await isThere()); step += 1) await page.keyboard.press('Tab')
  await expect(target).toBeFocused()
  const ring = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  })
  expect(ring, 'the focus can be seen').toBe(true)
}

async function typeInto(target: Locator, text: string): Promise<void> {
  await tabTo(target)
  await target.page().keyboard.type(text)
}

async function press(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(target)
  await target.page().keyboard.press(key)
}

/** Selects an option by arrow keys. */
async function choose(target: Locator, value: string): Promise<void> {
  await tabTo(target)
  const options = await target
    .locator('option')
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))
  for (let step = 0; step < options.indexOf(value); step += 1) await target.page().keyboard.press('ArrowDown')
  await expect(target).toHaveValue(value)
}

test('a user signs up and logs in', async ({ page, say }) => {
  const { email, password } = newPerson()
  await page.goto(paths.home)
  await waitForHydration(page)
  await press(page.getByRole('link', { name: say('home.start') }))
  await expect(heading(page, say('auth.signUpTitle'))).toBeFocused()
  await typeInto(field(page, say('auth.email')), email)
  await typeInto(field(page, say('auth.password')), password)
  await press(button(page, say('auth.signUp')))
  await page.waitForURL(paths.signIn)
  // The URL changes before the screen does, and both screens have these fields.
  await expect(heading(page, say('auth.signInTitle'))).toBeFocused()
  await typeInto(field(page, say('auth.email')), email)
  await typeInto(field(page, say('auth.password')), password)
  await page.keyboard.press('Enter')
  await page.waitForURL(paths.dashboard)
  await expect(heading(page, say('overview.title'))).toBeVisible()
})

asReseller('an account is created, renewed, disabled and deleted', async ({ page, say, reseller }) => {
  await page.goto(paths.dashboard)
  await press(page.getByRole('link', { name: say('overview.create') }))
  await typeInto(field(page, say('accounts.name')), 'by_keys')
  await choose(field(page, say('accounts.vpnType')), 'trojan')
  await choose(field(page, say('accounts.tunnelType')), 'ssh')
  await expect(button(page, say('accounts.create'))).toBeEnabled()
  await press(button(page, say('accounts.create')))
  await page.waitForURL(paths.accounts)

  await press(page.getByRole('link', { name: 'by_keys' }))
  await renew(page, say('accounts.renew.action'), say('accounts.renew.days'), say('accounts.renew.confirm'))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await press(page.getByRole('switch', { name: say('accounts.statusSwitch') }), 'Space')
  await expect(notice(page, say('accounts.nowDisabled', { name: 'by_keys' }))).toBeVisible()
  const [account] = (await reseller.call(getUserAccounts, {})).items
  expect(account).toMatchObject({ accountDuration: 37, accountEnabled: false })

  await press(button(page, say('accounts.delete.action')))
  await press(button(page.getByRole('dialog'), say('accounts.delete.confirm')))
  await expect(heading(page, say('client.noAccounts'))).toBeVisible()
})

/** First checks that Escape closes the dialog and restores the focus. */
async function renew(page: Page, action: string, days: string, confirm: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await press(button(page, action))
  await expect(dialog).toBeVisible()
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button(page, action)).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(field(page, days))
  await page.keyboard.press('Control+A')
  await page.keyboard.type('7')
  await expect(button(dialog, confirm)).toBeEnabled()
  await press(button(dialog, confirm))
}

asReseller('many accounts are disabled, past the skip link', async ({ page, say, reseller }) => {
  await reseller.account()
  await page.goto(paths.accounts)
  await expect(page.getByRole('link', { name: 'ali_phone' })).toBeVisible()
  await press(page.getByRole('link', { name: say('shell.skip') }))
  await press(page.getByRole('checkbox', { name: say('accounts.select', { name: 'ali_phone' }) }), 'Space')
  await press(button(page, say('accounts.bulk.disable')))
  await press(button(page.getByRole('dialog'), say('accounts.bulk.disable')))
  await expect(accountRows(page)).toContainText(say('accounts.disabled'))
})

asReseller('colour, sessions and password are changed', async ({ page, say, reseller }) => {
  await reseller.again()
  const { password } = newPerson()
  await page.goto(paths.settings)
  await press(page.getByRole('switch', { name: say('settings.darkMode') }), 'Space')
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  await tabTo(page.getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('html')).not.toHaveAttribute('data-color', 'default')
  await press(page.getByRole('listitem').getByRole('button', { name: say('settings.endSession') }))
  await expect(notice(page, say('settings.sessionEnded'))).toBeVisible()
  await typeInto(field(page, say('settings.oldPassword')), reseller.password)
  await typeInto(field(page, say('settings.newPassword')), password)
  await page.keyboard.press('Enter')
  await expect(notice(page, say('settings.passwordChanged'))).toBeVisible()
})

test('a user logs in by SMS', async ({ page, say, reseller }) => {
  const phone = await givePhone(reseller.email)
  await page.goto(smsPath(phone))
  await press(button(page, say('sms.send')))
  await expect(notice(page, say('sms.sent'))).toBeVisible()
  await typeInto(field(page, say('sms.code')), await codeSentTo(phone))
  await page.keyboard.press('Enter')
  await page.waitForURL(paths.dashboard)
})
