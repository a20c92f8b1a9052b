import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { artifacts } from '../../e2e/artifacts.ts'
import { chromium } from '../../scripts/browser.mjs'
import { isRoot } from '../../scripts/debian-package.mjs'
import { isBench } from './limits.ts'

process.env.TZ = 'UTC'

/** One page at a time: parallel pages would slow each other. */
export default defineConfig({
  globalSetup: './global-setup.ts',
  outputDir: join(artifacts, 'bench'),
  // Interactions are measured on an idle machine only.
  testMatch: isBench ? '*.{spec,bench}.ts' : '*.spec.ts',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 900_000,
  expect: { timeout: 30_000 },
  reporter: process.env.CI ? 'list' : 'line',
  use: {
    timezoneId: 'UTC',
    viewport: { width: 360, height: 740 },
    // It starts three seconds after the load; a first visit is measured without it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: chromium(),
      args: ['--disable-gpu', ...(isRoot ? ['--no-sandbox'] : [])],
    },
  },
})
