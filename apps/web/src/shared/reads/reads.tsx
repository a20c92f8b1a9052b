import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { followLiveEvents } from '../events/follow.ts'
import { AsOf } from './as-of.tsx'
import { followLanguage } from './follow-language.ts'
import { restoreCopies } from './keep-copies.ts'
import { queryClient } from './query.ts'
import { registerServiceWorker } from './register-service-worker.ts'

/** The first render waits for this. */
export const restored = restoreCopies(queryClient)
followLanguage(queryClient)
registerServiceWorker()
followLiveEvents(queryClient)

export const Reads = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <AsOf />
    {children}
  </QueryClientProvider>
)
