import { createHash } from 'node:crypto'
import { relative } from 'node:path'
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

/** What a call is for and answers, and how it may be refused, is the server's to say; who makes it learns that from the reply. */
const withoutServersWords = {
  name: 'without-servers-words',
  apply: 'build' as const,
  enforce: 'pre' as const,
  transform: (code: string, file: string) =>
    file.includes('/packages/contract/src/')
      ? code.replace(/^ +(?:summary|message|refusals):\s+(?:'.*'|".*"|\[[^\]]*\]),$/gm, '')
      : null,
}

/** A class is told from those of other files by four signs of its own file. The usual name has its line too. */
function classOf(name: string, file: string): string {
  const hash = createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('base64url')
  return `${name}-${hash.slice(0, 4)}`
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), factsInPage, withoutServersWords],
  // React has had this hook for years; the shim is for versions that had not.
  resolve: {
    alias: [{ find: 'use-sync-external-store/shim', replacement: 'react' }],
  },
  css: { modules: { generateScopedName: classOf } },
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
