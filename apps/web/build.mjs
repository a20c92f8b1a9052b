import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import { build } from 'vite'

const here = import.meta.dirname
const dist = join(here, 'dist')
const serverDist = join(here, 'dist-server')

const options = { root: here, logLevel: 'warn' }
await build(options)
await build({ ...options, build: { ssr: 'src/app/entry-server.tsx', outDir: serverDist, emptyOutDir: true } })

const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'))
const {
  adminRoutes,
  areas,
  fallbackLanguage,
  firstCallsOf,
  languageFacts,
  languages,
  renderPage,
  routes,
  wordsIn,
  wordsOf,
} = await import(pathToFileURL(join(serverDist, 'entry-server.js')).href)

const wordsFolder = await writeWords()
const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
const firstFrame = await inlineScript('first-frame.js')
const firstCalls = await inlineScript('first-calls.js')
const sessionParts = await inlineScript('session-parts.js')
const styles = await inlineStyle(entry.css[0])
const icon = (await readFile(join(here, 'public/icon.svg'), 'utf8')).trim().replace(/<title>.*<\/title>/, '')
const template = (await readFile(join(dist, 'index.html'), 'utf8'))
  .replaceAll(/\s*<link rel="modulepreload"[^>]*>/g, '')
  .replace(/<script[^>]* src="\/src\/app\/first-frame\.js"><\/script>/, () => firstFrame)
  .replace(`<link rel="stylesheet" crossorigin href="/${entry.css[0]}">`, () => styles)
  // In the page it is smaller than the headers of a request for it.
  .replace('"/icon.svg"', () => `"data:image/svg+xml,${icon.replaceAll('"', "'").replaceAll('#', '%23')}"`)

const rows = [...routes, ...adminRoutes.map((route) => ({ ...route, area: 'admin' }))]
for (const route of rows)
  if (!manifest[chunkOf(route)]) throw new Error(`${fileOf(route)} has a row and is not there`)
for (const file of Object.keys(manifest).filter((key) => /\/screens\/.*-screen\.tsx$/.test(key)))
  if (!rows.some((route) => fileOf(route) === file))
    throw new Error(`${file} has no row in the table of routes`)

for (const language of languages) {
  for (const path of new Set(routes.map((route) => route.path))) await writePage(path, language)
  // What the service worker opens without a network, and the page of every address that leads nowhere.
  await write('/app', language, {
    ...(await renderPage(null, language)),
    html: '',
    words: ['app'],
    head: await headOf([]),
  })
}
await writeServiceWorker()
await rm(serverDist, { recursive: true })
await rm(join(dist, '.vite'), { recursive: true })
await compress(dist)

function fileOf({ area, screen }) {
  return `src/${area}/screens/${screen}.tsx`
}

/** Where the bundler put a screen: in a chunk of its own, or the door's, which has its screen with it. */
function chunkOf(route) {
  const isDoor = route.area === 'admin' && route.path.endsWith('*')
  return isDoor ? Object.keys(manifest).find((key) => manifest[key].name === 'admin-door') : fileOf(route)
}

/** Where screens of several areas share an address, its page brings no area's scripts or words, and every style. */
async function writePage(path, language) {
  const there = routes.filter((route) => route.path === path)
  const [route] = there
  const parts = there.map((one) => [...partsOf(chunkOf(one), areaOf(one))])
  const isCommon = (part) => parts.every((list) => list.includes(part))
  const words =
    there.length === 1
      ? wordsOf(route)
      : [...new Set(there.flatMap(wordsOf))].filter((name) => !(name.split('/')[0] in areas))
  const calls = firstCallsOf[path]
  const own = parts[0].filter((part) => !isCommon(part)).map((part) => `/${manifest[part].file}`)
  const partsOfSession = own.length > 0 ? block('parts', own) + sessionParts : ''
  await write(
    path.endsWith('/') ? `${path}index` : path.replace(/:\w+$/, 'any').replace('*', 'all'),
    language,
    {
      ...(await renderPage(route, language)),
      path: route.isPrerendered ? path : '',
      access: there.some((one) => one.access === 'anyone') ? 'anyone' : route.access,
      words,
      head: await headOf(parts[0].filter(isCommon), [...new Set([...parts.flat(), ...behindDoor(route)])]),
      data: (calls ? block('calls', calls) + firstCalls : '') + partsOfSession,
    },
  )
}

/** What comes with the area itself; a visitor's begins with the app, an administrator's behind its door. */
function areaOf({ area }) {
  const key = Object.keys(manifest).find((one) => manifest[one].name === area && area === 'reseller')
  return key && partsOf(key)
}

/** The styles of what an administrator sees behind the door come with the page; nobody else's page has them. */
function behindDoor({ area }) {
  return area === 'admin' ? Object.keys(manifest).filter((key) => /^admin\b/.test(manifest[key].name)) : []
}

/** A chunk with all it imports, save what the entry has brought already. */
function partsOf(key, seen = new Set()) {
  if (seen.has(key) || manifest[key] === entry || entry.imports.includes(key)) return seen
  seen.add(key)
  for (const other of manifest[key].imports ?? []) partsOf(other, seen)
  return seen
}

/** The styles of a screen's parts, which no script then waits for, and the names of all its files. */
async function headOf(parts, styled = parts) {
  const sheets = await Promise.all(styled.flatMap((key) => manifest[key].css ?? []).map(inlineStyle))
  const chunks = [entry, ...[...entry.imports, ...parts].map((key) => manifest[key])]
  const links = chunks.map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`)
  return [...sheets, ...links].join('')
}

/**
 * In the page itself, or its text could not be painted before a second request came back. The link is fetched by nobody:
 * parts that come later look for it, and would otherwise fetch these styles again.
 */
async function inlineStyle(file) {
  const text = (await readFile(join(dist, file), 'utf8')).trim()
  return `<style>${text}</style><link rel="stylesheet" disabled href="/${file}">`
}

/** A script of the page itself, as small as it can be. */
async function inlineScript(name) {
  const { code } = await transform(await readFile(join(here, 'src/app', name), 'utf8'), { minify: true })
  return `<script>${code.trim()}</script>`
}

/** Every namespace in every language, in a folder that is named anew when any of them has changed. */
async function writeWords() {
  const files = languages.flatMap((language) =>
    Object.entries(wordsIn(language)).map(([namespace, words]) => [
      `${namespace}.${language}.json`,
      JSON.stringify(words),
    ]),
  )
  const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 8)
  const folder = `/assets/words-${version}`
  for (const [name, text] of files) {
    const file = join(dist, folder, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return folder
}

/** A data block, not a script: it is read and never run. */
function block(id, data, attributes = '') {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${id}"${attributes}>${json}</script>`
}

function escapeText(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)
}

/** What a search engine or a messenger shows of a link to the page. The server puts the operator's name in. */
function preview(title, brandName, description) {
  const about = [
    ['name="description"', description],
    ['property="og:description"', description],
    ['property="og:title"', title],
    ['property="og:site_name"', brandName],
  ]
  return about.map(([what, content]) => `<meta ${what} content="${escapeText(content)}">`).join('')
}

/** index.html in English, index.fa.html in Persian; the server picks by the language of the request. */
async function write(
  name,
  language,
  { html, title, brandName, description, path = '', access = 'anyone', words, head, data = '' },
) {
  const { dir, font } = languageFacts[language]
  const fontFile = entry.assets.find((file) => file.includes(font))
  const attributes = ` lang="${language}" data-namespaces="${words.join(' ')}" data-folder="${wordsFolder}"`
  const page = template
    .replace('<html lang="en" dir="ltr"', `<html lang="${language}" dir="${dir}" data-page="${path}"`)
    .replace('data-access="anyone"', `data-access="${access}"`)
    .replace('<title>Kelid</title>', () => `<title>${escapeText(title)}</title>`)
    // What is behind the sign-in is not for search engines and messengers to describe.
    .replace('<!--head-->', () => (path && preview(title, brandName, description)) + head)
    .replace(
      '<!--page--></div>',
      () => `${html}</div>${block('words', wordsIn(language, words), attributes)}${data}`,
    )
    // What is not drawn whole answers to nobody until the client has drawn it.
    .replace('<div id="root">', path || !html ? '$&' : '<div id="root" inert>')
    // In the head it would hold back the first paint for a tenth of a second, which is never long enough for it to come.
    .replace(
      '<body>',
      () => `<body><link rel="preload" as="font" type="font/woff2" crossorigin href="/${fontFile}">`,
    )
  const file = join(dist, language === fallbackLanguage ? `${name}.html` : `${name}.${language}.html`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, page)
}

/** Everything a reseller's screens are made of, what they fetch later included; words and fonts are kept once used. */
async function writeServiceWorker() {
  const screens = routes.filter(({ area }) => area === 'reseller').map(fileOf)
  const parts = new Set()
  const add = (key) => {
    if (parts.has(key)) return
    parts.add(key)
    const { imports = [], dynamicImports = [] } = manifest[key]
    for (const other of manifest[key] === entry ? imports : [...imports, ...dynamicImports]) add(other)
  }
  for (const key of screens) add(key)
  const files = [...parts].flatMap((key) => [manifest[key].file, ...(manifest[key].css ?? [])])
  const precached = [...new Set(files)].sort().map((file) => `/${file}`)
  const shell = await readFile(join(dist, 'app.html'))
  const source = await readFile(join(here, 'src/app/service-worker.js'), 'utf8')
  const hash = createHash('sha256').update(shell).update(precached.join()).update(source)
  await writeFile(
    join(dist, 'sw.js'),
    source
      .replace('/*version*/', hash.digest('hex').slice(0, 12))
      .replace(`'/*precached*/'`, precached.map((file) => `'${file}'`).join(', ')),
  )
}

async function compress(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const found of entries) {
    if (!found.isFile() || !/\.(?:html|js|css|json|svg|webmanifest)$/.test(found.name)) continue
    const file = join(found.parentPath, found.name)
    const content = await readFile(file)
    if (content.length < 256) continue
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
    await writeFile(`${file}.br`, brotliCompressSync(content, quality))
    await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
}
