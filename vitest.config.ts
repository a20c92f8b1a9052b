import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/api/{src,test}/**/*.test.ts'],
    globalSetup: ['apps/api/test/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    // A shared machine may stall for seconds while a process is killed or stopped; what fails twice fails.
    retry: process.env.CI ? 1 : 0,
    reporters: process.env.CI ? ['default'] : ['dot'],
  },
})
