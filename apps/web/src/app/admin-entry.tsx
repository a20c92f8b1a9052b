import { Suspense } from 'react'
import type { AdminEntryPartProps } from '../admin/entry/link/part.tsx'
import { lazyScreen } from '../lib/lazy-screen.tsx'
import { sessionStore } from '../lib/session.ts'
import { useStore } from '../lib/store.ts'
import { useIsHydrated } from '../lib/use-is-hydrated.ts'

/** Only administrators load it. If it fails to load, they can still open /admin/. */
const Part = lazyScreen<AdminEntryPartProps>(() =>
  import('../admin/entry/link/part.tsx').then((part) => part.loadPart()).catch(() => () => null),
)

export function AdminEntryPart(props: AdminEntryPartProps) {
  const level = useStore(sessionStore)?.userLevel
  return useIsHydrated() && level ? (
    <Suspense>
      <Part {...props} />
    </Suspense>
  ) : null
}
