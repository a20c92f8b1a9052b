import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const here = import.meta.dirname
const dist = join(here, 'dist')
const serverDist = join(here, 'dist-server')
const languages = ['en', 'fa']

const options = { root: here, logLevel: 'warn' }
await build(options)
await build({ ...options, build: { ssr: 'src/app/entry-server.tsx', outDir: serverDist, emptyOutDir: true } })

const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'))
const assetOf = (source) => `/${manifest[source].file}`
const preloads = {
  en: { font: fontOf('roboto-regular'), words: assetOf('src/locales/en.json') },
  fa: { font: fontOf('vazir-medium'), words: assetOf('src/locales/fa.json') },
}
const template = (await readFile(join(dist, 'index.html'), 'utf8')).replace(
  /<script src="\/src\/app\/first-frame\.js"><\/script>/,
  `<script>${(await readFile(join(here, 'src/app/first-frame.js'), 'utf8')).trim()}</script>`,
)
const { prerenderedPaths, renderPage } = await import(pathToFileURL(join(serverDist, 'entry-server.js')).href)

for (const language of languages) {
  for (const path of prerenderedPaths) await writePage(path, language, await renderPage(path, language))
  await writePage('/app', language, { ...(await renderPage('/', language)), html: '' })
}
await rm(serverDist, { recursive: true })
await rm(join(dist, '.vite'), { recursive: true })
await compress(dist)

function fontOf(name) {
  const css = Object.values(manifest).find(({ isEntry }) => isEntry)
  return `/${css.assets.find((file) => file.includes(name))}`
}

/** index.html in English, index.fa.html in Persian; the server picks by the language of the request. */
async function writePage(path, language, { html, dir, title }) {
  const { font, words } = preloads[language]
  const head =
    `<link rel="preload" as="font" type="font/woff2" crossorigin href="${font}">` +
    `<link rel="preload" as="fetch" crossorigin href="${words}">`
  const page = template
    .replace('<html lang="en" dir="ltr"', `<html lang="${language}" dir="${dir}" data-page="${html ? path : ''}"`)
    .replace('<title>Kelid</title>', `<title>${title}</title>`)
    .replace('<!--head-->', head)
    .replace('<!--page-->', html)
  const folder = path === '/app' ? dist : join(dist, path)
  const base = path === '/app' ? 'app' : 'index'
  const file = join(folder, language === 'en' ? `${base}.html` : `${base}.${language}.html`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, page)
}

async function compress(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile() || !/\.(?:html|js|css|json|svg|webmanifest)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const content = await readFile(file)
    if (content.length < 256) continue
    await writeFile(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
    await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
}
