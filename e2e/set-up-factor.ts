import type { Page } from '@playwright/test'
import type { TFunction } from 'i18next'
import { codeOf } from './authenticator.ts'
import type { Reseller } from './people.ts'
import { button, field } from './see.ts'
import { expect } from './test.ts'

/** From the first press to the recovery codes; gives back what was shown. */
export async function setUp(page: Page, say: TFunction, { password }: Reseller) {
  await button(page, say('secondFactor.setUp')).click()
  await field(page, say('secondFactor.password')).fill(password)
  await button(page, say('secondFactor.next')).click()
  await expect(page.getByRole('img', { name: say('secondFactor.qr') })).toBeVisible()
  const secret = (await page.locator('code').textContent()) ?? ''
  return { secret, confirm: () => confirm(page, say, codeOf(secret)) }
}

async function confirm(page: Page, say: TFunction, code: string): Promise<string[]> {
  await field(page, say('secondFactor.code')).fill(code)
  await button(page, say('secondFactor.confirm')).click()
  const codes = page.getByRole('list', { name: say('secondFactor.codesTitle') }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  return codes.allTextContents()
}
