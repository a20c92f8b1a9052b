import { join } from 'node:path'
import { languages } from '@kelid/contract'
import { defineConfig } from '@playwright/test'
import { chromium } from '../scripts/browser.mjs'
import { isRoot } from '../scripts/debian-package.mjs'
import { artifacts } from './artifacts.ts'
import { localeOf } from './locale.ts'
import type { Options } from './test.ts'

// The same zone as the browser's, so that a date has the same words on both sides.
process.env.TZ = 'UTC'

const viewports = { 360: { width: 360, height: 740 }, 1280: { width: 1280, height: 800 } }

/** A long run tries everything in every language and width; a usual one everything on a phone in Persian. */
const isLong = process.env.KELID_TEST_LONG === 'yes'

/** What a usual run looks at on a wide screen in English too: how it looks, and the texts of the specification. */
const alsoWide = [
  'accounts-*.spec.ts',
  'auth*.spec.ts',
  'home*.spec.ts',
  'keyboard*.spec.ts',
  'look*.spec.ts',
  'menu*.spec.ts',
  'settings*.spec.ts',
  'shell*.spec.ts',
  'sms*.spec.ts',
  'spec-server*.spec.ts',
  'widths*.spec.ts',
]

const projects = languages.flatMap((language) =>
  Object.entries(viewports).map(([width, viewport]) => ({
    name: `${language}-${width}`,
    // Texts that attack and the first painted frame do not depend on the width; the narrow one is the harder.
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
  // One more than the two cores that a small machine has: they wait for one another and for the clock more than they compute.
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
    // Only offline.spec.ts is about it; elsewhere it would answer before the tests' own routes do.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: chromium(),
      // Drawing by a graphics card that is not there costs a quarter of the time.
      args: ['--disable-gpu', ...(isRoot ? ['--no-sandbox'] : [])],
    },
  },
  projects: isLong ? projects : usual,
})
