import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** These need a page that has read no configuration yet: each has modules of its own. */
const alone = ['src/reseller/screens/settings-screen.test.tsx', 'src/visitor/home/landing/landing.test.tsx']

/** The client's own tests need no database: `npx vitest run --config apps/web/vitest.config.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    css: { modules: { classNameStrategy: 'non-scoped' } },
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
    reporters: process.env.CI ? ['default'] : ['dot'],
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{src,test}/**/*.test.{ts,tsx}'],
          exclude: alone,
          // Files of one process share what they import, which is loaded once instead of seventy times.
          isolate: false,
        },
      },
    ],
  },
})
