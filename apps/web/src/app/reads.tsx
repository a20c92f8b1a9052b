import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { followLiveEvents } from '../features/live/follow.ts'
import { followLanguage } from '../lib/follow-language.ts'
import { restoreCopies } from '../lib/keep-copies.ts'
import { isPictured } from '../lib/picture.ts'
import { queryClient } from '../lib/query.ts'
import { areaShapes } from '../ui/area-icon-shapes.ts'
import { addShapes } from '../ui/icon.tsx'
import { AsOf } from './as-of.tsx'
import { registerServiceWorker } from './register-service-worker.ts'

addShapes(areaShapes)
let restoring: Promise<void> | undefined
function restore(): Promise<void> {
  restoring ??= restoreCopies(queryClient)
  return restoring
}
/** What was kept from last time is there before anything is shown, unless the page shows something already. */
export const restored = isPictured ? undefined : restore()
followLiveEvents(queryClient)
followLanguage(queryClient)
registerServiceWorker()

/** The ground under every area that reads: the cache, what was kept from last time, and live changes to it. */
export function Reads({ children }: { children: ReactNode }) {
  useEffect(() => void restore(), [])
  return (
    <QueryClientProvider client={queryClient}>
      <AsOf />
      {children}
    </QueryClientProvider>
  )
}
