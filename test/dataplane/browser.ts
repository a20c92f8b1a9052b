import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { button, field } from '../../e2e/see.ts'
import { wordsOf } from '../../e2e/words.ts'
import { chromium as installedChromium } from '../../scripts/browser.mjs'

export const say = wordsOf('fa')
const picture = join(import.meta.dirname, '../../node_modules/.cache/dataplane/failed.png')

/** Somebody's browser, in Persian. */
export async function openBrowser(origin: string, looks: BrowserContextOptions = {}) {
  const browser = await chromium.launch({
    executablePath: installedChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const viewport = { width: 1280, height: 800 }
  const page = await browser.newPage({ baseURL: origin, locale: 'fa-IR', viewport, ...looks })
  page.on('pageerror', (error) => console.log(`In the page: ${error}`))
  return { page, close: () => browser.close() }
}

export async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto(paths.signIn)
  await field(page, say('auth.email')).fill(email)
  await field(page, say('auth.password')).fill(password)
  await button(page, say('auth.signIn')).click()
  await page.waitForURL((url) => url.pathname !== paths.signIn)
}

/** When it goes wrong, what the page showed is kept. */
export async function watched(page: Page, work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    mkdirSync(join(picture, '..'), { recursive: true })
    await page.screenshot({ path: picture, fullPage: true })
    console.log(`What the page showed: ${picture}`)
    throw error
  }
}
