import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import { build } from 'vite'

const here = import.meta.dirname
const dist = join(here, 'dist')
const serverDist = join(here, 'dist-server')
const languages = ['en', 'fa']

const options = { root: here, logLevel: 'warn' }
await build(options)
await build({ ...options, build: { ssr: 'src/app/entry-server.tsx', outDir: serverDist, emptyOutDir: true } })

const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'))
const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
const fontOf = (name) => `/${entry.assets.find((file) => file.includes(name))}`
const wordsOf = (language) => `/${manifest[`src/locales/${language}.json`].file}`
const preloads = {
  en: { font: fontOf('roboto-regular'), words: wordsOf('en') },
  fa: { font: fontOf('vazir-medium'), words: wordsOf('fa') },
}
const inline = async (name) => {
  const { code } = await transform(await readFile(join(here, 'src/app', name), 'utf8'), { minify: true })
  return `<script>${code.trim()}</script>`
}
const firstFrame = await inline('first-frame.js')
const firstCalls = await inline('first-calls.js')
// In the page itself, or its text could not be painted before a second request came back. The link is fetched by nobody:
// parts that come later look for it, and would otherwise fetch these styles again.
const inlineStyle = async (file) =>
  `<style>${(await readFile(join(dist, file), 'utf8')).trim()}</style><link rel="stylesheet" disabled href="/${file}">`
const [style] = entry.css
const styles = await inlineStyle(style)
const icon = (await readFile(join(here, 'public/icon.svg'), 'utf8')).trim().replace(/<title>.*<\/title>/, '')
const template = (await readFile(join(dist, 'index.html'), 'utf8'))
  .replaceAll(/\s*<link rel="modulepreload"[^>]*>/g, '')
  .replace(/<script[^>]* src="\/src\/app\/first-frame\.js"><\/script>/, () => firstFrame)
  .replace(`<link rel="stylesheet" crossorigin href="/${style}">`, () => styles)
  // In the page it is smaller than the headers of a request for it.
  .replace('"/icon.svg"', () => `"data:image/svg+xml,${icon.replaceAll('"', "'").replaceAll('#', '%23')}"`)
const { pickWords, prerendered, renderPage, shells } = await import(
  pathToFileURL(join(serverDist, 'entry-server.js')).href
)

for (const language of languages) {
  for (const { path, file, keys } of prerendered) {
    const page = await renderPage(path, language)
    const words = block('words', pickWords(language, keys), ` lang="${language}"`)
    await writePage(join(dist, path), 'index', language, {
      ...page,
      path,
      head: await headOf(file, []),
      data: words,
    })
  }
  const app = { path: '', base: 'app', file: null, calls: [], isPictured: false }
  for (const { path, base, file, calls, isPictured = true } of [...shells, app]) {
    const address = isPictured ? path + (base === 'any' ? 'any/' : '') : '/'
    const page = await renderPage(address, language, { isSignedIn: true })
    const picture = isPictured ? withRules(page.html) : { html: '', style: '' }
    const links = await headOf(file, [preloads[language].words])
    const head = links + picture.style
    const data = calls.length > 0 ? `${block('calls', calls)}${firstCalls}` : ''
    await writePage(join(dist, path), base, language, { ...page, path: '', head, data, html: picture.html })
  }
}
await writeServiceWorker()
await rm(serverDist, { recursive: true })
await rm(join(dist, '.vite'), { recursive: true })
await compress(dist)

/** A chunk with all it imports, save what the entry has brought already. */
function partsOf(key, seen = new Set()) {
  const entryParts = new Set([...(entry.imports ?? []), entry.src])
  if (seen.has(key) || entryParts.has(key)) return seen
  seen.add(key)
  for (const other of manifest[key].imports ?? []) partsOf(other, seen)
  return seen
}

/** What a screen needs beyond the entry: its styles, which no script then waits for, and the names of all files. */
async function headOf(name, others) {
  const key = Object.keys(manifest).find((one) => manifest[one].name === name)
  const parts = key ? [...partsOf(key)].map((part) => manifest[part]) : []
  const styles = await Promise.all(parts.flatMap(({ css = [] }) => css.map(inlineStyle)))
  const scripts = [entry, ...entry.imports.map((one) => manifest[one]), ...parts].map(
    ({ file }) => `/${file}`,
  )
  return styles.join('') + (await linksTo([...scripts, ...others]))
}

/**
 * The largest file first: browsers fetch six at a time, and the seventh waits until one of them is there. What is tiny
 * comes before all: it soon makes room.
 */
async function linksTo(files) {
  const sized = await Promise.all(files.map(async (file) => ({ file, ...(await stat(join(dist, file))) })))
  const kindOf = {
    js: 'modulepreload',
    json: 'preload" as="fetch',
  }
  return sized
    .toSorted((one, other) => Number(other.size < 1_024) - Number(one.size < 1_024) || other.size - one.size)
    .map(({ file }) => `<link rel="${kindOf[file.split('.').at(-1)]}" crossorigin href="${file}">`)
    .join('')
}

/** The page's policy forbids styles in attributes; the same as rules of the page are allowed. */
function withRules(page) {
  const rules = []
  const html = page.replaceAll(/ style="([^"]*)"/g, (_, rule) => {
    if (!rules.includes(rule)) rules.push(rule)
    return ` data-rule="${rules.indexOf(rule)}"`
  })
  const style = rules.map((rule, place) => `[data-rule="${place}"]{${rule}}`).join('')
  return { html, style: style && `<style>${style}</style>` }
}

/** A data block, not a script: it is read and never run. */
function block(id, data, attributes = '') {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${id}"${attributes}>${json}</script>`
}

/** index.html in English, index.fa.html in Persian; the server picks by the language of the request. */
async function writePage(folder, base, language, { html, dir, title, description, path, head, data }) {
  const page = template
    .replace('<html lang="en" dir="ltr"', `<html lang="${language}" dir="${dir}" data-page="${path}"`)
    .replace('<title>Kelid</title>', () => `<title>${title}</title>`)
    .replace(
      '<!--head-->',
      () =>
        // What is behind the sign-in is not for search engines to describe.
        (path && `<meta name="description" content="${description}">`) + head,
    )
    .replace('<!--page--></div>', () => `${html}</div>${data}`)
    // A picture answers to nobody until the client takes it over.
    .replace('<div id="root">', path || !html ? '$&' : '<div id="root" inert>')
    // In the head it would hold back the first paint for a tenth of a second, which is never long enough for it to come.
    .replace(
      '<body>',
      () =>
        `<body><link rel="preload" as="font" type="font/woff2" crossorigin href="${preloads[language].font}">`,
    )
  const file = join(folder, language === 'en' ? `${base}.html` : `${base}.${language}.html`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, page)
}

/** Everything a reseller's screens are made of; words, fonts and the administrator's parts are kept once used. */
async function writeServiceWorker() {
  const isForVisitors = /(?:sign-in|sign-up)-screen|sms-sign-in|i18next-http-backend/
  const keys = Object.keys(manifest).filter(
    (key) => /[.]js$/.test(manifest[key].file) && !isForVisitors.test(key),
  )
  const files = keys.flatMap((key) => [manifest[key].file, ...(manifest[key].css ?? [])])
  const precached = [...new Set(files)].sort().map((file) => `/${file}`)
  const shell = await readFile(join(dist, 'app.html'))
  const source = await readFile(join(here, 'src/app/service-worker.js'), 'utf8')
  const version = createHash('sha256')
    .update(shell)
    .update(precached.join())
    .update(source)
    .digest('hex')
    .slice(0, 12)
  await writeFile(
    join(dist, 'sw.js'),
    source
      .replace('/*version*/', version)
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
