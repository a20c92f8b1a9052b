import { type Language, toLanguage } from '@kelid/contract'
import type { FastifyRequest } from 'fastify'

const languageCookie = /(?:^|;\s*)kelid\.language=([A-Za-z-]+)/

function acceptedTags({ headers }: FastifyRequest): string[] {
  const wishes = (headers['accept-language'] ?? '').split(',').map((wish) => {
    const [tag = '', weight = '1'] = wish.split(/\s*;\s*q\s*=\s*/i)
    return { tag: tag.trim(), weight: Number(weight) }
  })
  return wishes
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

export const languageOf = (request: FastifyRequest, requested: string | undefined): Language =>
  toLanguage(requested, ...acceptedTags(request))

/** The order of spec.md as far as a server can see it: `lng`, the cookie, the browser, the path, the subdomain. */
export function languageOfPage(request: FastifyRequest, path: string): Language {
  const requested = new URLSearchParams(request.url.split('?')[1]).get('lng')
  const cookie = languageCookie.exec(request.headers.cookie ?? '')?.[1]
  return toLanguage(
    requested,
    cookie,
    ...acceptedTags(request),
    path.split('/')[1],
    request.hostname.split('.')[0],
  )
}
