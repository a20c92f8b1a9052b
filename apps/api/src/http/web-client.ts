import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import { type ClientConfig, type Language, routes } from '@kelid/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { packageRoot } from '../lib/package-root.ts'
import { languageOfPage } from './language-of.ts'
import { preparePage, sendPage } from './prepared-page.ts'
import { notFound } from './refuse.ts'

const flagsDir = join(
  dirname(createRequire(import.meta.url).resolve('flag-icons/package.json')),
  'flags',
  '4x3',
)
const serviceWorker = '/sw.js'
const manifest = '/manifest.webmanifest'
/** The service worker fetches files of this origin only. */
const workerPolicy = "default-src 'none'; connect-src 'self'"
const pageVaries = 'Accept-Language, Cookie, Accept-Encoding'
const week = 'public, max-age=604800'
const forever = 'public, max-age=31536000, immutable'
/** Not e-mails and addresses, which people's and machines' pages have in the URL. */
const fileName = /\/[^/@]*\.[a-z][a-z0-9]{1,4}$/i

export const hasWebClient = (dir: string): boolean => existsSync(join(dir, 'index.html'))

/**
 * Serves the built client: hashed files are immutable and precompressed. Pages come in the language of the request.
 * Unknown paths get the client itself, so that a reload works.
 */
export async function serveWebClient(
  app: FastifyInstance,
  configuredDir: string,
  clientConfig: ClientConfig,
): Promise<void> {
  const webDir = configuredDir || join(packageRoot, '..', 'web', 'dist')
  const hasClient = hasWebClient(webDir)
  await app.register(fastifyStatic, {
    root: hasClient ? webDir : flagsDir,
    serve: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
  })
  app.get(routes.flags.path, { config: { access: routes.flags.access } }, (request, reply) => {
    const name = /^\/flags\/([a-z]{2})\.svg$/.exec(request.url)?.[1]
    if (!name || !existsSync(join(flagsDir, `${name}.svg`))) return notFound(request, reply)
    return reply.header('cache-control', week).sendFile(`${name}.svg`, flagsDir)
  })
  if (!hasClient) return
  const files = listFiles(webDir)
  const pages = new Map(
    files
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, preparePage(readFileSync(join(webDir, name), 'utf8'), clientConfig)]),
  )
  const fileNames = new Set(files)
  const { brandName: name } = clientConfig
  const ownManifest = fileNames.has(manifest) && {
    ...JSON.parse(readFileSync(join(webDir, manifest), 'utf8')),
    name,
    short_name: name,
  }
  // Uptime monitors send HEAD.
  const options = { config: { access: routes.web.access }, exposeHeadRoute: true }
  app.get(routes.web.path, options, (request, reply) => {
    const name = fileFor(request, fileNames)
    if (name === null) return notFound(request, reply)
    const page = pages.get(name)
    if (page) reply.headers({ 'content-security-policy': page.policy, vary: pageVaries })
    // The service worker requests it by its own name, caches it, and reads the config separately.
    if (page && !request.url.startsWith(name)) return sendPage(request, reply, page)
    if (name === manifest)
      return reply.header('cache-control', 'no-cache').type('application/manifest+json').send(ownManifest)
    if (name === serviceWorker) reply.header('content-security-policy', workerPolicy)
    return send(reply, name)
  })
}

const send = (reply: FastifyReply, name: string) =>
  reply.header('cache-control', name.startsWith('/assets/') ? forever : 'no-cache').sendFile(name)

const listFiles = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/')}`)

/** The file or prerendered page of a path, or the client for a path that only the client knows. */
function fileFor(request: FastifyRequest, fileNames: ReadonlySet<string>): string | null {
  const path = decode(request.url.split('?', 1)[0] ?? '/')
  if (path === null || path.startsWith('/api/')) return null
  if (fileNames.has(path)) return path
  const language = languageOfPage(request, path)
  const folder = path.endsWith('/') ? path : `${path}/`
  const page = pageIn(`${folder}index`, language, fileNames)
  if (page) return page
  if (fileName.test(path)) return null
  const above = folder.replace(/[^/]+\/$/, '')
  const [area] = /^\/[^/]+\//.exec(folder) ?? []
  return (
    pageIn(`${above}any`, language, fileNames) ??
    pageIn(`${area}all`, language, fileNames) ??
    pageIn('/app', language, fileNames) ??
    '/index.html'
  )
}

const pageIn = (base: string, language: Language, fileNames: ReadonlySet<string>): string | undefined =>
  [`${base}.${language}.html`, `${base}.html`].find((name) => fileNames.has(name))

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
