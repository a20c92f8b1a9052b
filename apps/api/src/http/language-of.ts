import { type Language, toLanguage } from '@kelid/contract'
import type { FastifyRequest } from 'fastify'

const languageCookie = /(?:^|;\s*)kelid\.language=([A-Za-z-]+)/

/** The tags of an Accept-Language header, the most wanted first; what is not wanted at all is left out. */
function accepted({ headers }: FastifyRequest): string[] {
  const wishes = (headers['accept-language'] ?? '').split(',').map((wish) => {
    const [tag = '', weight = '1'] = wish.split(/\s*;\s*q\s*=\s*/i)
    return { tag: tag.trim(), weight: Number(weight) }
  })
  return wishes
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

/** What a link asks for, then what the browser does. */
export const languageOf = (request: FastifyRequest, asked: string | undefined): Language =>
  toLanguage(asked, ...accepted(request))

/**
 * The order of the specification, as far as a server can see: the address's `lng`, the cookie, the browser, the path, the
 * subdomain. The page that is chosen has it in its html tag, which the client looks at last.
 */
export function languageOfPage(request: FastifyRequest, path: string): Language {
  const asked = new URLSearchParams(request.url.split('?')[1]).get('lng')
  const kept = languageCookie.exec(request.headers.cookie ?? '')?.[1]
  return toLanguage(asked, kept, ...accepted(request), path.split('/')[1], request.hostname.split('.')[0])
}
