import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = 'http://127.0.0.1:8080'

/** One file for what hardly ever changes, the libraries and the numbers; it also packs better than several. */
const vendor = {
  name: 'vendor',
  test: /node_modules\/(?:react|react-dom|scheduler|react-router|i18next|react-i18next)\/|contract\/src\/limits/,
}

/** What every form stands on, as one file: many small ones cost a request each and pack worse. */
const forms = {
  name: 'forms',
  test: new RegExp(
    [
      'node_modules/zod/',
      'contract/src/(?:auth|call|envelope|errors|rules|sms|statement|vpn-catalogue)[.]ts',
      'src/lib/(?:api|explain|form|use-later|use-rule-text)[.]ts',
      'src/ui/field[.]',
      'src/features/auth/(?:credentials-form|password-strength)[.]',
    ].join('|'),
  ),
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react()],
  // React has had this hook for years; the shim is for versions that had not.
  resolve: { alias: { 'use-sync-external-store/shim': 'react' } },
  build: {
    target: 'es2022',
    manifest: !isSsrBuild,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: isSsrBuild
      ? {}
      : { output: { codeSplitting: { groups: [vendor, forms], includeDependenciesRecursively: false } } },
  },
  server: {
    proxy: { '/api': api, '/config.json': api, '/flags': api, '/sub': api },
  },
}))
