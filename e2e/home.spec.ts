import { languageFacts, languages } from '@kelid/contract'
import { paths } from '../apps/web/src/lib/paths.ts'
import { heading } from './see.ts'
import { expect, stored, test } from './test.ts'
import { rewriteConfig } from './wire.ts'
import { wordsOf } from './words.ts'

test('the card about crypto links to the contact of the operator', async ({ page, say }) => {
  await page.goto(paths.home)
  await page.getByRole('link', { name: say('home.payment.toContact') }).click()
  await expect(heading(page, say('home.contact.title'))).toBeInViewport()
  const link = page.getByRole('link', { name: 'sales@kelid.test' })
  await expect(link).toBeInViewport()
  await expect(link).toHaveAttribute('href', 'mailto:sales@kelid.test')
})

test('the prerendered landing page hydrates without a message', async ({ page }) => {
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', ({ message }) => problems.push(message))
  await page.goto(paths.home)
  await expect(page.getByRole('link', { name: 'sales@kelid.test' })).toBeAttached()
  expect(problems).toEqual([])
})

test("the operator's name is in the title, the preview and the logo", async ({ page, say }) => {
  const brandName = 'Shabnam'
  await rewriteConfig(page, { brandName })
  for (const [path, title] of [
    [paths.home, say('home.title')],
    [paths.signUp, say('auth.signUpTitle')],
  ] as const) {
    const reply = await page.goto(path)
    const html = (await reply?.text()) ?? ''
    expect(/<title>(.*?)<\/title>/.exec(html)?.[1]).toBe(`${title} · ${brandName}`)
    expect(html).toContain(`<meta property="og:title" content="${title} · ${brandName}">`)
    expect(html).toContain(`<meta property="og:site_name" content="${brandName}">`)
    expect(html).not.toMatch(/Kelid|کلید/)
    await expect(page).toHaveTitle(`${title} · ${brandName}`)
  }
})

test('the first supported language decides', async ({ browser, baseURL, language }) => {
  const other = languages.find((one) => one !== language) ?? language
  const visit = async (address: string, kept: Record<string, string>, cookie?: string) => {
    const context = await browser.newContext({
      ...(baseURL && { baseURL }),
      locale: 'de-DE',
      storageState: stored(kept),
    })
    if (cookie) await context.addCookies([{ name: 'kelid.language', value: cookie, url: baseURL ?? '' }])
    const page = await context.newPage()
    await page.goto(address)
    await expect(heading(page, wordsOf(language)('home.title'))).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('dir', languageFacts[language].dir)
    await context.close()
  }
  await visit('/?lng=de', { 'kelid.language': other }, language)
  await visit('/?lng=de', { 'kelid.language': language }, 'fr')
  await visit(`/?lng=${language}`, { 'kelid.language': other }, other)
})
