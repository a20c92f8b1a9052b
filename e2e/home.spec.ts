import { paths } from '../apps/web/src/lib/paths.ts'
import { heading } from './see.ts'
import { expect, test } from './test.ts'
import { rewriteConfig } from './wire.ts'

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
