import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { TFunction } from 'i18next'
import type { Reseller } from './people.ts'
import { button, field } from './see.ts'
import { expect } from './test.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepMs = 30_000

/** The code of an authenticator app whose clock is some steps ahead. */
export function codeOf(secret: string, stepsAhead = 0): string {
  const letters = [...secret.replaceAll(' ', '')]
  const bits = letters.map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / stepMs) + stepsAhead))
  const hash = createHmac('sha1', key).update(counter).digest()
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 0xf) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** Sets up a second factor up to the code. */
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
