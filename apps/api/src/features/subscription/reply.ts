import type { Language } from '@kelid/contract'
import type { Brand } from './contact.ts'
import { chooseFormat, machineFormats } from './formats.ts'
import { machineHeaders, type Usage } from './headers.ts'
import { type SubscriptionAccount, stateAt } from './links.ts'
import { missingPage, pagePolicy, subscriptionPage } from './page.ts'

export interface SubscriptionRequest {
  account: SubscriptionAccount
  /** The product's own authority, in PEM, where that signs for the server. */
  authority: string | null
  brand: Brand
  userAgent: string | undefined
  accept: string | undefined
  language: Language
  /** The absolute address of this /sub page. */
  pageUrl: string
  now: Date
  usage: Usage | null
}

export interface SubscriptionReply {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * An account that may not connect still gets 200: apps keep the old list on an error, and take the empty one on
 * success.
 */
export const subscriptionReply = (request: SubscriptionRequest): SubscriptionReply => {
  const { account, brand, pageUrl, usage } = request
  const format = chooseFormat(request.accept, request.userAgent)
  if (format === 'page') return { status: 200, headers: pageHeaders, body: subscriptionPage(request) }

  const { contentType, write } = machineFormats[format]
  return {
    status: 200,
    headers: {
      'content-type': contentType,
      'cache-control': 'no-store',
      ...machineHeaders(account, brand, pageUrl, usage),
    },
    body: write(stateAt(account, request.now) === 'active' ? account : null, request.authority),
  }
}

/** For a browser; apps are told by the status and keep what they have. */
export const missingReply = (brand: Brand, language: Language): SubscriptionReply => ({
  status: 404,
  headers: pageHeaders,
  body: missingPage(brand, language),
})

/** The page's own address is the secret: it goes to no other site, no search engine, no cache. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': pagePolicy,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}
