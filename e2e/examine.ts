import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Language } from '@kelid/contract'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { type Mode, modes } from '../apps/web/src/ui/appearance/theme.ts'
import { arePicturesWanted, artifacts } from './artifacts.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const narrowest = 320

/** Switches the theme without motion. Pages outside the client follow the system. */
async function show(page: Page, mode: Mode): Promise<void> {
  await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' })
  await page.evaluate((wanted) => {
    document.documentElement.dataset.mode = wanted
  }, mode)
}

/** Runs axe without relaxing the page's policy. The themes differ only in colours. */
async function seriousIssues(page: Page, mode: Mode): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const { violations } = await page.evaluate(
    (options) => (window as unknown as { axe: typeof axe }).axe.run(document, options),
    {
      resultTypes: ['violations'],
      ...(mode === 'dark' && { runOnly: ['color-contrast'] }),
    } as axe.RunOptions,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}

/** How far the page or its dialog scrolls sideways. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(
      ...[document.documentElement, ...document.querySelectorAll('dialog[open]')].map(
        (element) => element.scrollWidth - element.clientWidth,
      ),
    ),
  )

/** Checks a screen in both themes: axe, sideways scroll here and on the narrowest phone; takes pictures if wanted. */
export async function examine(page: Page, name: string, language: Language): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  expect.soft(await sidewaysScroll(page), `${name}: sideways at ${width}`).toBe(0)
  // As tall as its content, so that a picture shows all of it.
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, whole) })
  for (const mode of modes) {
    await show(page, mode)
    const issues = await seriousIssues(page, mode)
    expect.soft(issues, `${name} in ${mode} mode`).toEqual([])
    const file = `${name}-${language}-${mode}-${width}.png`
    if (arePicturesWanted)
      await page.screenshot({ path: join(artifacts, 'screens', file), animations: 'disabled' })
  }
  await page.setViewportSize({ width: narrowest, height })
  // A resized window needs some frames to settle.
  const settled = expect.configure({ soft: true, timeout: 5_000 })
  await settled.poll(() => sidewaysScroll(page), `${name}: sideways at ${narrowest}`).toBe(0)
  await page.setViewportSize({ width, height })
  await show(page, 'light')
}
