import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** The client's own tests need no database: `npx vitest run --config apps/web/vitest.config.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    projects: [
      { extends: true, test: { name: 'plain', include: ['{src,test}/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'screens',
          include: ['src/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: ['test/setup.ts'],
        },
      },
    ],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
    reporters: process.env.CI ? ['default'] : ['dot'],
  },
})
