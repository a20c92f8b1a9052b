import type { ClientConfig } from '@kelid/contract'
import { useEffect } from 'react'
import { configStore, loadConfig } from './config.ts'
import { useStore } from './store.ts'

/** Name and contact of the operator; the product's own until they have been read. */
export function useBrand(): ClientConfig {
  useEffect(() => void loadConfig(), [])
  return useStore(configStore)
}
