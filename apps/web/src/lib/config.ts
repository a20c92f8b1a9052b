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

/** The landing page reads this and does not load the schema library. */
function toConfig(reply: unknown): ClientConfig {
  const values = Object(reply) as Record<string, unknown>
  const fields = Object.entries(ownOrigin).filter(
    ([name, fallback]) => typeof values[name] === typeof fallback,
  )
  return { ...ownOrigin, ...Object.fromEntries(fields.map(([name]) => [name, values[name]])) }
}

/** The server inserts it into its pages; the page from the service worker lacks it. */
const pageConfig: unknown =
  typeof document === 'undefined'
    ? null
    : parseReply(document.getElementById('config')?.textContent || 'null')

/** Identical to `ownOrigin` until the config is read, a different object afterwards. */
export const configStore = createStore<ClientConfig>(pageConfig ? toConfig(pageConfig) : ownOrigin)

let loading: Promise<ClientConfig> | null = pageConfig ? Promise.resolve(configStore.get()) : null

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
