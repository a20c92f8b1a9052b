import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { fallbackLanguage, type Language, languageFacts, languages } from '@kelid/contract'
import { transform } from 'esbuild'
import { build, type Manifest } from 'vite'
import { Chunks } from './build/chunks.ts'
import { dataBlock, documentOf, preview } from './build/document.ts'
import type { Route } from './src/app/routes.ts'
import type { Namespace } from './src/lib/words.ts'

const here = import.meta.dirname
const dist = join(here, 'dist')
const serverDist = join(here, 'dist-server')

await build({ root: here, logLevel: 'warn' })
await build({
  root: here,
  logLevel: 'warn',
  build: { ssr: 'src/app/entry-server.tsx', outDir: serverDist, emptyOutDir: true },
})
const app: typeof import('./src/app/entry-server.tsx') = await import(
  pathToFileURL(join(serverDist, 'entry-server.js')).href
)

const manifest: Manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'))
const chunks = new Chunks(manifest)
const wordsFolder = await writeWords()
const firstFrame = await inlineScript('first-frame.js')
const firstCalls = await inlineScript('first-calls.js')
const sessionParts = await inlineScript('session-parts.js')
const entryStyles = await inlineStyles(chunks.entry.css)
// An inline icon is smaller than the headers of a request for it.
const icon = await dataUrl('public/icon.svg')

for (const language of languages) {
  for (const path of new Set(app.routes.map((route) => route.path))) await writePage(path, language)
  // The service worker opens this page without a network; the server sends it for addresses without a page.
  await write('/app', { language, route: null, words: ['app'] })
}
await writeServiceWorker()
await rm(serverDist, { recursive: true })
await rm(join(dist, '.vite'), { recursive: true })
await compress(dist)

/** An address that two areas share preloads the scripts and has the words of neither, but the styles of both. */
async function writePage(path: string, language: Language): Promise<void> {
  const rows = app.routes.filter((route) => route.path === path)
  const [route] = rows
  if (!route) return
  const needed = rows.map((row) => chunks.neededBy(filesOf(row)))
  const inAll = (key: string) => needed.every((keys) => keys.includes(key))
  const [first = []] = needed
  // The other chunks of the first row, which is the one for users who are signed in.
  const ofSession = first.filter((key) => !inAll(key)).map(urlOf)
  const styled = new Set([...needed.flat(), ...laterStyled(route)])
  const calls = app.firstCallsOf[path]
  await write(path.endsWith('/') ? `${path}index` : path.replace(/:\w+$/, 'any').replace('*', 'all'), {
    language,
    route,
    access: rows.some(({ access }) => access === 'anyone') ? 'anyone' : route.access,
    words: rows.length === 1 ? app.wordsOf(route) : rows.flatMap(app.wordsOf).filter(isOfNoArea),
    preloaded: first.filter(inAll),
    styles: await inlineStyles([...styled].flatMap((key) => chunks.get(key).css ?? [])),
    data:
      (calls ? dataBlock('calls', calls) + firstCalls : '') +
      (ofSession.length > 0 ? dataBlock('parts', ofSession) + sessionParts : ''),
  })
}

/** A screen and what its area loads before it. */
function filesOf({ area, screen }: Route): string[] {
  const before = area === 'reseller' ? ['src/reseller/screens.ts'] : []
  return [...before, `src/${area}/screens/${screen}.tsx`]
}

/** The page of the admin area has the styles of all its screens; no other page has them. */
function laterStyled({ area }: Route): string[] {
  if (area !== 'admin') return []
  const screens = app.adminRoutes.map(({ screen }) => `src/admin/screens/${screen}.tsx`)
  return chunks.neededBy(['src/admin/area.tsx', ...screens])
}

function isOfNoArea(name: Namespace): boolean {
  return !((name.split('/')[0] ?? '') in app.areas)
}

function urlOf(key: string): string {
  return `/${chunks.get(key).file}`
}

interface Page {
  readonly language: Language
  readonly route: Route | null
  readonly access?: Route['access']
  readonly words: readonly Namespace[]
  readonly preloaded?: readonly string[]
  readonly styles?: string
  readonly data?: string
}

/** Writes index.html in English and index.fa.html in Persian; the server chooses by the language of the request. */
async function write(name: string, page: Page): Promise<void> {
  const { language, route, access = 'anyone', styles = '', data = '' } = page
  const { html, title, brandName, description } = await app.renderPage(route, language)
  const { isPrerendered = false } = route ?? {}
  const words = [...new Set(page.words)]
  const entryUrl = `/${chunks.entry.file}`
  const preloaded = [entryUrl, ...[...(chunks.entry.imports ?? []), ...(page.preloaded ?? [])].map(urlOf)]
  const font = chunks.entry.assets?.find((file) => file.includes(languageFacts[language].font))
  if (!font) throw new Error(`The client has no font "${languageFacts[language].font}" for ${language}`)
  const text = documentOf({
    language,
    path: isPrerendered ? (route?.path ?? '') : '',
    access,
    title,
    icon,
    head: [
      // Pages for users are not for search engines.
      isPrerendered ? preview(title, brandName, description) : '',
      styles,
      ...preloaded.map((url) => `<link rel="modulepreload" crossorigin href="${url}">`),
      firstFrame,
      `<script type="module" crossorigin src="${entryUrl}"></script>`,
      entryStyles,
    ].join(''),
    body: [
      // In the head it would delay the first paint by a tenth of a second.
      `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`,
      // The bars of a page without its screen do nothing until the client has rendered.
      `<div id="root"${route && !isPrerendered ? ' inert' : ''}>${route ? html : ''}</div>`,
      dataBlock('words', app.wordsIn(language, words), {
        lang: language,
        'data-namespaces': words.join(' '),
        'data-folder': wordsFolder,
      }),
      data,
    ].join(''),
  })
  const file = join(dist, language === fallbackLanguage ? `${name}.html` : `${name}.${language}.html`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** Inline styles save a request before the first paint. Vite looks for the link before it fetches a chunk's styles. */
async function inlineStyles(files: readonly string[] = []): Promise<string> {
  const styles = files.map(async (file) => {
    const text = (await readFile(join(dist, file), 'utf8')).trim()
    return `<style>${text}</style><link rel="stylesheet" disabled href="/${file}">`
  })
  return (await Promise.all(styles)).join('')
}

async function inlineScript(name: string): Promise<string> {
  const { code } = await transform(await readFile(join(here, 'src/app', name), 'utf8'), { minify: true })
  return `<script>${code.trim()}</script>`
}

async function dataUrl(file: string): Promise<string> {
  const svg = (await readFile(join(here, file), 'utf8')).trim()
  return `data:image/svg+xml,${svg.replaceAll('"', "'").replaceAll('#', '%23')}`
}

/** The words of every namespace and language, in a folder whose name changes with any of them. */
async function writeWords(): Promise<string> {
  const files = languages.flatMap((language) =>
    Object.entries(app.wordsIn(language)).map(
      ([namespace, words]) => [`${namespace}.${language}.json`, JSON.stringify(words)] as const,
    ),
  )
  const folder = `/assets/words-${hashOf(files.join())}`
  for (const [name, text] of files) {
    const file = join(dist, folder, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return folder
}

/** Precaches everything that a reseller's screens load, at once or later; words and fonts are cached when used. */
async function writeServiceWorker(): Promise<void> {
  const resellers = app.routes.filter(({ area }) => area === 'reseller')
  const keys = [...(chunks.entry.imports ?? []), ...chunks.reachableFrom(resellers.flatMap(filesOf))]
  const files = [chunks.entry, ...keys.map((key) => chunks.get(key))].flatMap(({ file, css = [] }) => [
    file,
    ...css,
  ])
  const precached = [...new Set(files)].sort().map((file) => `/${file}`)
  const shell = await readFile(join(dist, 'app.html'), 'utf8')
  const source = await readFile(join(here, 'src/app/service-worker.js'), 'utf8')
  const version = hashOf(shell + precached.join() + source)
  const define = { VERSION: JSON.stringify(version), PRECACHED: JSON.stringify(precached) }
  const { code } = await transform(source, { define })
  await writeFile(join(dist, 'sw.js'), code)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

async function compress(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:html|js|css|json|svg|webmanifest)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const content = await readFile(file)
    if (content.length < 256) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    await writeFile(`${file}.br`, brotliCompressSync(content, { params }))
    await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
}
