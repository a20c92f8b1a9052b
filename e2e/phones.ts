import { randomInt } from 'node:crypto'
import { setUserPhone } from '@kelid/contract'
import { expect } from '@playwright/test'
import { paths } from '../apps/web/src/lib/paths.ts'
import { asAdmin } from './people.ts'
import { testedProduct } from './product/tested-product.ts'

export const smsPath = (phone: string): string => paths.smsCheck.replace(':phone', phone)

/** Gives the user a phone number. */
export async function givePhone(userEmail: string): Promise<string> {
  const userPhone = `0912${String(randomInt(10_000_000)).padStart(7, '0')}`
  await asAdmin()(setUserPhone, { userEmail, userPhone })
  return userPhone
}

/** Waits for the last code that the fake gateway got for a number. */
export async function codeSentTo(phone: string): Promise<string> {
  let code = ''
  const ask = async () => {
    code = await (await fetch(`${testedProduct().gatewayUrl}/${phone}`)).text()
    return code
  }
  await expect.poll(ask).not.toBe('')
  return code
}
