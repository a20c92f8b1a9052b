import type { Language } from '@kelid/contract'
import type { Brand } from './contact.ts'
import type { Usage } from './headers.ts'
import type { SubscriptionAccount, Way } from './links.ts'

export interface PageRequest {
  account: SubscriptionAccount
  /** All of the account's ways, the preferred one first. */
  ways: readonly Way[]
  brand: Brand
  userAgent: string | undefined
  language: Language
  pageUrl: string
  now: Date
  usage: Usage | null
  devices: number | null
}
