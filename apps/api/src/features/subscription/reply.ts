import { isUnderstoodBy, type Language } from '@kelid/contract'
import type { Brand } from './contact.ts'
import { chooseFormat, machineFormats } from './formats.ts'
import { machineHeaders, type Usage } from './headers.ts'
import { type FileFacts, nameWays, type SubscriptionAccount, typesOf, type Way } from './links.ts'
import { noticeFor } from './notice.ts'
import { missingPage, pagePolicy, subscriptionPage } from './page.ts'

export interface SubscriptionRequest extends FileFacts {
  account: SubscriptionAccount
  /** All of the account's ways, the preferred one first. */
  ways: readonly Way[]
  brand: Brand
  userAgent: string | undefined
  accept: string | undefined
  /** Named by the address. */
  format?: string | undefined
  language: Language
  pageUrl: string
  now: Date
  usage: Usage | null
  /** Networks that are connected now; null if no host reports them. */
  devices: number | null
}

export interface SubscriptionReply {
  status: number
  headers: Record<string, string>
  body: string
}

/** An account that may not connect still gets 200: on an error, apps would keep the old list. */
export const subscriptionReply = (request: SubscriptionRequest): SubscriptionReply => {
  const { account, brand, pageUrl, usage } = request
  const format = chooseFormat(request.accept, request.userAgent, request.format, typesOf(request.ways))
  if (format === 'page') return { status: 200, headers: pageHeaders, body: subscriptionPage(request) }

  const { contentType, engine, write, writeNotice } = machineFormats[format]
  const usable = nameWays(request.ways, request.language).filter(({ accountVPNType }) =>
    isUnderstoodBy(engine, accountVPNType),
  )
  const notice = noticeFor(request, usable)
  return {
    status: 200,
    headers: {
      'content-type': contentType,
      'cache-control': 'no-store',
      ...machineHeaders(account, brand, pageUrl, usage),
    },
    body: notice === null ? write(usable, request) : writeNotice(notice),
  }
}

export const missingReply = (brand: Brand, language: Language): SubscriptionReply => ({
  status: 404,
  headers: pageHeaders,
  body: missingPage(brand, language),
})

/** The page's URL is a secret: no referrer, no indexing, no caching. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': pagePolicy,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}
