import type { ClientConfig } from '@kelid/contract'
import { useEffect } from 'react'
import { configStore, loadConfig } from './config.ts'
import { useStore } from './store.ts'

export function useBrand(): ClientConfig {
  useEffect(() => void loadConfig(), [])
  return useStore(configStore)
}
