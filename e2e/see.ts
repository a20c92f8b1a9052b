import { expect, type Locator, type Page } from '@playwright/test'

/** The notification at the top, or in the dialog that is open. */
export const notice = (page: Page, text: string): Locator =>
  page.locator('[role=status], [role=alert]').getByText(text, { exact: true })

/** A message in place. The notification repeats it and hides after some seconds. */
export const inline = (within: Page | Locator, text: string): Locator => {
  const page = 'page' in within ? within.page() : within
  return within.getByText(text).and(page.locator(':not([data-severity] *)'))
}

/** The alert of a dialog, without the notification. */
export const alertOf = (dialog: Locator): Locator =>
  dialog.getByRole('alert').filter({ hasText: /\S/, hasNot: dialog.page().locator('[data-severity]') })

/** Exact, because the button that shows a password contains the same word. */
export const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true })

export const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true })

export const link = (within: Page | Locator, name: string): Locator => within.getByRole('link', { name })

export const heading = (page: Page | Locator, name: string): Locator =>
  page.getByRole('heading', { name, exact: true })

/** Rendered accounts of the list: rows of a table on a desktop, cards on a phone. */
export const accountRows = (page: Page): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('cell') })

export async function sizeOf(what: Locator): Promise<{ height: number; text: number }> {
  return what.evaluate((element) => ({
    height: element.getBoundingClientRect().height,
    text: Number.parseFloat(getComputedStyle(element).fontSize),
  }))
}

/** The description of a field, as screen readers read it. */
export async function beside(input: Locator): Promise<Locator> {
  const id = await input.getAttribute('aria-describedby')
  return input.page().locator(`[id="${id}"]`)
}

/** Waits until the screen is there and nothing on it is loading. */
export async function waitForScreen(page: Page): Promise<void> {
  await expect(page.locator('main h1:not([data-waiting])')).toBeVisible()
  await expect(page.locator('main [role=status][aria-label]')).toHaveCount(0)
}

/** A prerendered page ignores clicks and keys until React has hydrated it. */
export const waitForHydration = (page: Page): Promise<unknown> =>
  page.waitForFunction(() =>
    Object.keys(document.querySelector('main h1') ?? {}).some((key) => key.startsWith('__reactProps')),
  )

/** Keeps auto-hiding notices and delayed redirects waiting. Needs `page.clock.install()` first. */
export const pauseClock = async (page: Page): Promise<void> =>
  page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000))

export const storedItem = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key)
