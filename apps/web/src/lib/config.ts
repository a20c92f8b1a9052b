import type { ClientConfig } from '@kelid/contract'
import { parseReply, readReply } from './read-reply.ts'
import { createStore } from './store.ts'

/** The product's own name, and the page's own origin for everything. */
export const ownOrigin: ClientConfig = {
  brandName: 'Kelid',
  brandContact: '',
  publicUrl: '',
  appServer: '',
  replyServer: '',
  messagingServer: '',
  smsEnabled: false,
}

/** Checked by shape and not by schema: the landing page reads this, and carries no schema library. */
function toConfig(reply: unknown): ClientConfig {
  const given = Object(reply) as Record<string, unknown>
  const fields = Object.entries(ownOrigin).filter(([name, usual]) => typeof given[name] === typeof usual)
  return { ...ownOrigin, ...Object.fromEntries(fields.map(([name]) => [name, given[name]])) }
}

/** The server puts it into its pages; the page that the service worker keeps comes without. */
const ofPage: unknown =
  typeof document === 'undefined'
    ? null
    : parseReply(document.getElementById('config')?.textContent || 'null')

/** `ownOrigin` itself until the answer is there; afterwards, with or without one, another object. */
export const configStore = createStore<ClientConfig>(ofPage ? toConfig(ofPage) : ownOrigin)

let loading: Promise<ClientConfig> | null = ofPage ? Promise.resolve(configStore.get()) : null

/** Brand and base addresses, read at run time. Without an answer the page's own origin serves everything. */
export function loadConfig(): Promise<ClientConfig> {
  loading ??= fetch('/config.json')
    .then(readReply)
    .then((reply) => {
      const config = toConfig(reply)
      configStore.set(config)
      return config
    })
    .catch(() => {
      loading = null
      if (configStore.get() === ownOrigin) configStore.set({ ...ownOrigin })
      return configStore.get()
    })
  return loading
}
