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
/** It answers for the page without a network, and fetches this origin's files for that and nothing else. */
const workerPolicy = "default-src 'none'; connect-src 'self'"
const pageVaries = 'Accept-Language, Cookie, Accept-Encoding'
const week = 'public, max-age=604800'
const forever = 'public, max-age=31536000, immutable'
/** No file has an @ in its name, and an e-mail, which ends like one, always has: that is the page of a person. */
const fileName = /\/[^/@]*\.[a-z0-9]{2,5}$/i

export const hasWebClient = (dir: string): boolean => existsSync(join(dir, 'index.html'))

/**
 * The files of the built client: those with a hash in their name for good, precompressed where the build made
 * such files. Pages come in the language of the request. Any other address of a page gets the client itself, so
 * that a reload stays where one was.
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
  const known = new Set(files)
  const { brandName: name } = clientConfig
  const ownManifest = known.has(manifest) && {
    ...JSON.parse(readFileSync(join(webDir, manifest), 'utf8')),
    name,
    short_name: name,
  }
  // Who only watches whether a site is up asks for the head of its page.
  const options = { config: { access: routes.web.access }, exposeHeadRoute: true }
  app.get(routes.web.path, options, (request, reply) => {
    const name = fileFor(request, known)
    if (name === null) return notFound(request, reply)
    const page = pages.get(name)
    if (page) reply.headers({ 'content-security-policy': page.policy, vary: pageVaries })
    // By its own name the service worker asks for it, keeps it for long, and reads the config apart.
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

/** The file of an address, the page of a folder, of whatever is in it or of all that is below it, or the client for an address that only it knows. */
function fileFor(request: FastifyRequest, known: ReadonlySet<string>): string | null {
  const path = decode(request.url.split('?', 1)[0] ?? '/')
  if (path === null || path.startsWith('/api/')) return null
  if (known.has(path)) return path
  const language = languageOfPage(request, path)
  const folder = path.endsWith('/') ? path : `${path}/`
  const page = pageIn(`${folder}index`, language, known)
  if (page) return page
  if (fileName.test(path)) return null
  const above = folder.replace(/[^/]+\/$/, '')
  const [area] = /^\/[^/]+\//.exec(folder) ?? []
  return (
    pageIn(`${above}any`, language, known) ??
    pageIn(`${area}all`, language, known) ??
    pageIn('/app', language, known) ??
    '/index.html'
  )
}

/** A page in the language of the request, or in the one every page exists in. */
const pageIn = (base: string, language: Language, known: ReadonlySet<string>): string | undefined =>
  [`${base}.${language}.html`, `${base}.html`].find((name) => known.has(name))

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
