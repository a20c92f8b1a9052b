import type { Page } from '@playwright/test'
import { accountPath, paths } from '../apps/web/src/lib/paths.ts'
import { button, heading, storedItem } from './see.ts'
import { expect, asReseller as test } from './test.ts'

test.use({ serviceWorkers: 'allow' })

/** What the device keeps: rows of answers in the browser's database. */
const kept = (page: Page): Promise<string[]> =>
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

/** The worker answers for the page from here on, and has the words and the font of the language. */
const workerIsReady = (page: Page) =>
  page.evaluate(async () => {
    const { lang } = document.documentElement
    const { folder, namespaces = '' } = document.getElementById('words')?.dataset ?? {}
    const words = namespaces.split(' ').map((namespace) => `${folder}/${namespace}.${lang}.json`)
    const kept = await Promise.all(words.map((name) => caches.match(name)))
    return navigator.serviceWorker.controller !== null && kept.every(Boolean)
  })

test('without a network the last accounts and the QR are there, with their date, until logging out', async ({
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
  await expect.poll(async () => (await kept(page)).some((read) => read.includes(accountUUID))).toBe(true)

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
  await expect.poll(() => kept(page)).toEqual([])
})
