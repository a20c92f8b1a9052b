import { join } from 'node:path'
import { languages } from '@kelid/contract'
import { defineConfig } from '@playwright/test'
import { chromium } from '../scripts/browser.mjs'
import { isRoot } from '../scripts/debian-package.mjs'
import { artifacts } from './artifacts.ts'
import { localeOf } from './locale.ts'
import type { Options } from './test.ts'

// Same time zone as the browser, so that dates match.
process.env.TZ = 'UTC'

const viewports = { 360: { width: 360, height: 740 }, 1280: { width: 1280, height: 800 } }

/** A long run tests every language and width; a usual one tests everything on a phone in Persian. */
const isLong = process.env.KELID_TEST_LONG === 'yes'

/** A usual run also tests these on a wide screen in English: layout, and texts of the specification. */
const alsoWide = [
  'auth*.spec.ts',
  'keyboard*.spec.ts',
  'look*.spec.ts',
  'menu*.spec.ts',
  'shell*.spec.ts',
  'spec-server*.spec.ts',
  'widths*.spec.ts',
]

const projects = languages.flatMap((language) =>
  Object.entries(viewports).map(([width, viewport]) => ({
    name: `${language}-${width}`,
    // These do not depend on the width.
    testIgnore: width === '360' ? [] : ['payloads*', 'first-frame*'],
    use: { language, locale: localeOf(language), viewport },
  })),
)
const usual = projects.flatMap((project) => {
  if (project.name === 'fa-360') return [project]
  return project.name === 'en-1280' ? [{ ...project, testMatch: alsoWide }] : []
})

export default defineConfig<Options>({
  globalSetup: './product/global-setup.ts',
  outputDir: join(artifacts, 'failures'),
  fullyParallel: true,
  // One more than the cores of a small machine, because tests mostly wait.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: process.env.CI ? 'list' : 'line',
  use: {
    timezoneId: 'UTC',
    // A trace of every test costs a fifth of the time; --trace=retain-on-failure writes one.
    trace: 'off',
    // It would answer before the tests' routes; offline.spec.ts allows it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: chromium(),
      // Emulating a missing graphics card costs a quarter of the time.
      args: ['--disable-gpu', ...(isRoot ? ['--no-sandbox'] : [])],
    },
  },
  projects: isLong ? projects : usual,
})
