import type { ClientConfig } from '@kelid/contract'
import { useEffect } from 'react'
import { loadConfig, ownOrigin } from './api.ts'
import { createStore, useStore } from './store.ts'

const brandStore = createStore<ClientConfig>(ownOrigin)

/** Name and contact of the operator; the product's own until they have been read. */
export function useBrand(): ClientConfig {
  useEffect(() => void loadConfig().then(brandStore.set), [])
  return useStore(brandStore)
}
