import { getUserAccounts, signOut } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { accountPath, paths } from '../apps/web/src/lib/paths.ts'
import { newReseller } from './people.ts'
import { button, field, heading, notice, storedItem, waitForHydration } from './see.ts'
import { expect, asReseller as test } from './test.ts'

test.use({ serviceWorkers: 'allow' })

/** The answers stored in the browser's database. */
const copiedReads = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('kelid')
        opening.onsuccess = () => {
          const rows = opening.result.transaction('copies').objectStore('copies').getAll()
          rows.onsuccess = () => {
            opening.result.close()
            resolve(rows.result.map((row: { read: string }) => row.read))
          }
        }
      }),
  )

const isCopied = async (page: Page, accountUUID: string) =>
  (await copiedReads(page)).some((read) => read.includes(accountUUID))

/** The worker controls the page and has the words of its language. */
const workerIsReady = (page: Page) =>
  page.evaluate(async () => {
    const { lang } = document.documentElement
    const { folder, namespaces = '' } = document.getElementById('words')?.dataset ?? {}
    const words = namespaces.split(' ').map((namespace) => `${folder}/${namespace}.${lang}.json`)
    const cached = await Promise.all(words.map((name) => caches.match(name)))
    return navigator.serviceWorker.controller !== null && cached.every(Boolean)
  })

test('accounts and QR codes are available offline until log-out', async ({
  page,
  context,
  say,
  reseller,
}) => {
  const { accountUUID, accountName } = await reseller.account()
  const [, asOf = ''] = say('reads.asOf', { exact: '|' }).split('|')
  await page.goto(paths.accounts)
  await page.getByRole('link', { name: accountName }).click()
  await expect(heading(page, accountName)).toBeVisible()
  await expect.poll(() => workerIsReady(page)).toBe(true)
  await expect.poll(() => isCopied(page, accountUUID)).toBe(true)

  await context.setOffline(true)
  await page.clock.setSystemTime(Date.now() + 60_000)
  await page.goto(accountPath(accountUUID))
  const qr = page.getByRole('img', { name: say('accounts.qr.alt', { name: accountName }) })
  await expect(qr).toBeVisible()
  await expect(page.getByText(say('shell.offline'))).toBeVisible()
  await expect(page.getByText(asOf)).toBeVisible()
  await page.goto(paths.accounts)
  await page.reload()
  await expect(page.getByRole('link', { name: accountName })).toBeVisible()
  await expect(page.getByText(asOf)).toBeVisible()

  await context.setOffline(false)
  await expect(page.getByText(say('shell.offline'))).toHaveCount(0)
  await expect(page.getByText(asOf)).toHaveCount(0)
  await page.getByRole('link', { name: say('shell.settings') }).click()
  await button(page, say('settings.signOut')).first().click()
  await expect(page.getByText(say('settings.signedOut'))).toBeVisible()
  expect(await storedItem(page, 'kelid.session')).toBeNull()
  await expect.poll(() => copiedReads(page)).toEqual([])
})

test('the next user finds nothing of an ended session', async ({ page, say, reseller }) => {
  const { accountUUID, accountName } = await reseller.account()
  await page.goto(accountPath(accountUUID))
  await expect(heading(page, accountName)).toBeVisible()
  await expect.poll(() => isCopied(page, accountUUID)).toBe(true)

  await page.goto(paths.signIn)
  await waitForHydration(page)
  await reseller.call(signOut, {})
  const next = await newReseller()
  await field(page, say('auth.email')).fill(next.email)
  await field(page, say('auth.password')).fill(next.password)
  const old = await storedItem(page, 'kelid.session')
  await page.keyboard.press('Enter')
  await expect.poll(() => storedItem(page, 'kelid.session')).not.toBe(old)
  await expect.poll(() => isCopied(page, accountUUID)).toBe(false)
  await expect(page).toHaveURL(paths.dashboard)
  await expect.poll(async () => (await copiedReads(page)).length).toBeGreaterThan(0)
  expect(await isCopied(page, accountUUID)).toBe(false)
})

test('the settings delete the copies on the device', async ({ page, say, reseller }) => {
  const { accountUUID, accountName } = await reseller.account()
  await page.goto(accountPath(accountUUID))
  await expect(heading(page, accountName)).toBeVisible()
  await expect.poll(() => isCopied(page, accountUUID)).toBe(true)
  await page.getByRole('link', { name: say('shell.settings') }).click()
  await button(page, say('settings.deleteCopies')).click()
  await expect(notice(page, say('settings.copiesDeleted'))).toBeVisible()
  expect(await isCopied(page, accountUUID)).toBe(false)

  await page.evaluate(() => {
    IDBObjectStore.prototype.clear = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await button(page, say('settings.deleteCopies')).click()
  await expect(notice(page, say('settings.copiesNotDeleted'))).toBeVisible()
})

test('lists stored by the previous release are deleted at the next visit', async ({ page, reseller }) => {
  const { accountUUID } = await reseller.account()
  await page.goto(accountPath(accountUUID))
  await expect.poll(() => isCopied(page, accountUUID)).toBe(true)
  const list = JSON.stringify([getUserAccounts.path, 'pages', {}])
  await page.evaluate(
    ({ read, owner }) =>
      new Promise((resolve) => {
        const opening = indexedDB.open('kelid', 1)
        opening.onsuccess = () => {
          const rows = opening.result.transaction('copies', 'readwrite')
          rows.objectStore('copies').put({ read, part: -1, owner, readAt: Date.now(), data: 0 })
          rows.oncomplete = () => resolve(opening.result.close())
        }
      }),
    { read: list, owner: reseller.token.slice(-8) },
  )
  expect(await copiedReads(page)).toContain(list)
  await page.reload()
  await expect.poll(() => copiedReads(page)).not.toContain(list)
  expect(await isCopied(page, accountUUID)).toBe(true)
})
