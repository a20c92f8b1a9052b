import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The package names only its build for development, with warnings that nobody reads here. */
const routerForUse = fileURLToPath(new URL('../production/index.mjs', import.meta.resolve('react-router')))

const api = 'http://127.0.0.1:8080'

const files = (...patterns: string[]) => new RegExp(patterns.join('|'))

/** One file for what hardly ever changes, the libraries and the numbers; it also packs better than several. */
const vendor = {
  name: 'vendor',
  test: files(
    'node_modules/(?:react|react-dom|scheduler|react-router|i18next|react-i18next)/',
    'contract/src/constants/',
  ),
}

/** What every page begins with. The kit's styles are few enough to come with it; each file costs a request. */
const index = {
  name: 'index',
  test: files(
    'web/index[.]html',
    'vite/preload-helper',
    'src/app/(?!reads|as-of[.]tsx|register-service-worker|dashboard-area|settings-area)',
    'src/lib/(?:brand|config|current-language|form|format|i18n|lazy-backend|lazy-screen|locale-urls)[.]ts',
    'src/lib/(?:notices|online|picture|read-reply|session|store|stored|use-language|use-later|use-rule-text|words)[.]ts',
    'src/locales/',
    'src/screens/(?:failure-screen|not-found-screen|paths|panel[.]module)',
    'src/ui/(?:button|field|icon|icon-shapes|loading|notice)[.]ts',
    'src/ui/[a-z.-]+[.]css',
    'src/features/(?:auth/credentials-form|sms/code-form)[.]module',
    'src/features/auth/password-strength[.]tsx',
  ),
}

/** What every call stands on, as one file: many small ones cost a request each and pack worse. */
const calls = {
  name: 'calls',
  test: files(
    'node_modules/zod/',
    'contract/src/(?:auth|call|envelope|errors|rules|sms|statement|vpn-catalogue)[.]ts',
    'src/lib/(?:api|explain|first-calls|password-strength|visitor-calls)[.]ts',
  ),
}

/** A visitor's forms, and of no use elsewhere. */
const credentials = {
  name: 'credentials',
  test: files('src/features/auth/credentials-form[.]tsx', 'src/lib/use-visitor-(?:calls|form)[.]ts'),
}

/** What the screens of somebody signed in have in common, and the styles of their dialogs. */
const reads = {
  name: 'reads',
  test: files(
    'node_modules/@tanstack/',
    'contract/src/(?:accounts|countries|routes|servers)[.]ts',
    'src/app/(?:reads|as-of|register-service-worker|dashboard-area)[.]tsx?',
    'src/features/live/',
    'src/app/as-of[.]module',
    'src/screens/accounts-screen[.]module',
    'src/features/accounts/(?:bulk-dialog|dialog-form|quote-panel)[.]module',
    'src/features/accounts/(?:account-cache|confirm-dialog|expiry-text|use-settled|warning)[.]ts',
    'src/lib/(?:copies|follow-language|keep-copies|live-events|pages|painted|query|use-read-notice)[.]ts',
    'src/ui/(?:area-icon-shapes|dialog|read-failed|switch)[.]ts',
  ),
}

/** Overview, list and statement show the same things: balances, movements, pages of rows. */
const lists = {
  name: 'lists',
  test: files(
    'node_modules/virtua/',
    'src/screens/(?:dashboard|accounts|statement)-screen[.]tsx',
    'src/screens/dashboard-screen[.]module',
    'src/features/(?:credit|overview|statement)/[a-z-]+[.](?:tsx?|module)',
    'src/features/accounts/(?:account-(?:card|filter|filters|list|rows)|bulk-actions|row-words|selection|selection-bar|use-live-accounts)[.](?:ts|module)',
    'src/lib/(?:read-pages|save-file|use-painted)[.]ts',
    'src/ui/state-mark[.](?:tsx|module)',
  ),
}

/** What is asked before money moves; the list and the account fetch it when somebody asks. */
const purchase = {
  name: 'purchase',
  test: files(
    'src/features/accounts/(?:days|days-field|purchase-keys|quote-panel|use-quote|use-renewal|use-quotes)[.]ts',
    'src/features/accounts/(?:renew-form|bulk-dialog|bulk-quote|bulk|use-bulk|account-problems)[.]tsx?',
  ),
}

const sheets = new Map<string, string>()

/** Short, for a page holds its styles; the same name of two files stays two. */
function className(name: string, file: string): string {
  const mark = createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('hex')
    .slice(0, 3)
  const other = sheets.get(mark) ?? file
  if (other !== file) throw new Error(`${file} and ${other} would share the names of their classes`)
  sheets.set(mark, file)
  return `${name}_${mark}`
}

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [react()],
  // React has had this hook for years; the shim is for versions that had not.
  resolve: {
    alias: [
      { find: 'use-sync-external-store/shim', replacement: 'react' },
      ...(command === 'build' && !isSsrBuild ? [{ find: /^react-router$/, replacement: routerForUse }] : []),
    ],
  },
  css: { modules: { generateScopedName: className } },
  build: {
    target: 'es2022',
    manifest: !isSsrBuild,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: isSsrBuild
      ? {}
      : {
          output: {
            codeSplitting: {
              groups: [vendor, index, calls, credentials, reads, lists, purchase],
              includeDependenciesRecursively: false,
            },
          },
        },
  },
  server: {
    proxy: { '/api': api, '/config.json': api, '/flags': api, '/sub': api },
  },
}))
