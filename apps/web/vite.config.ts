import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { languageFacts, languages } from '../../packages/contract/src/constants/languages.ts'
import { timings } from '../../packages/contract/src/constants/looks.ts'
import { partOf } from './parts.ts'

const api = 'http://127.0.0.1:8080'

/** What the page must know before its first paint, and no script is there yet to tell. */
const factsInPage = {
  name: 'facts-in-page',
  transformIndexHtml: (page: string) =>
    page
      .replace('%languages%', languages.map((one) => `${one}:${languageFacts[one].dir}`).join(' '))
      .replace('%patience%', String(timings.chunkTimeoutMs)),
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), factsInPage],
  // Lightning CSS hashes a class's file and not its line: 0.2 to 0.3 KB less per screen than the default names.
  css: { transformer: 'lightningcss', lightningcss: { cssModules: { pattern: '[local]-[hash]' } } },
  build: {
    target: 'es2022',
    manifest: !isSsrBuild,
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A visitor's form asks for its second step: what that stands on has come with the first.
      resolveDependencies: (file, needed) => (file.includes('visitor-auth-second-factor') ? [] : needed),
    },
    rolldownOptions: isSsrBuild
      ? {}
      : {
          output: {
            codeSplitting: {
              groups: [{ name: partOf, debugName: 'a folder is a part' }],
              includeDependenciesRecursively: false,
            },
          },
        },
  },
  server: {
    proxy: { '/api': api, '/config.json': api, '/flags': api, '/sub': api },
  },
}))
