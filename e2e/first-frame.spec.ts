import { languageFacts, languages } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { paths } from '../apps/web/src/lib/paths.ts'
import { expect, stored, test } from './test.ts'
import { holdFiles } from './wire.ts'
import { wordsOf } from './words.ts'

interface Frame {
  lang: string
  dir: string
  mode: string | undefined
  ground: string
  text: string
}

/** Records what every frame shows, from the first on. */
function recordFrames(page: Page) {
  return page.addInitScript(() => {
    const frames: unknown[] = []
    Object.assign(window, { frames_: frames })
    const look = () => {
      const { lang, dir, dataset } = document.documentElement
      const ground = document.body ? getComputedStyle(document.body).backgroundColor : ''
      if (document.body) frames.push({ lang, dir, mode: dataset.mode, ground, text: document.body.innerText })
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

const framesOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { frames_: Frame[] }).frames_.slice())

for (const path of [paths.home, paths.signIn, paths.dashboard])
  test(`${path} is right from its first frame, though the server guessed another language`, async ({
    browser,
    language,
    locale,
    baseURL,
  }) => {
    const other = languages.find((one) => one !== language) ?? language
    const session = JSON.stringify({ token: 'not-a-session' })
    const context = await browser.newContext({
      ...(locale && { locale }),
      ...(baseURL && { baseURL }),
      serviceWorkers: 'block',
      storageState: stored({ 'kelid.language': other, 'kelid.mode': 'dark', 'kelid.session': session }),
    })
    const page = await context.newPage()
    await recordFrames(page)
    const letGo = await holdFiles(page, '**/assets/**/*.{js,json}')
    await page.goto(path, { waitUntil: 'commit' })
    await page.waitForFunction(() => (window as unknown as { frames_: Frame[] }).frames_.length > 5)
    letGo()
    const foreign = wordsOf(language)('shell.dashboard')
    await expect(page.getByRole('navigation')).toContainText(wordsOf(other)('shell.dashboard'))
    const frames = await framesOf(page)
    for (const frame of frames) {
      expect(frame).toMatchObject({ lang: other, dir: languageFacts[other].dir, mode: 'dark' })
      expect(frame.text).not.toContain(foreign)
    }
    expect(new Set(frames.map(({ ground }) => ground))).toEqual(new Set(['rgb(0, 0, 0)']))
    await context.close()
  })
