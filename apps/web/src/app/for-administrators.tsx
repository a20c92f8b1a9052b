import { type ReactNode, Suspense } from 'react'
import { lazyScreen } from '../lib/lazy-screen.tsx'
import { sessionStore } from '../lib/session.ts'
import { useStore } from '../lib/store.ts'
import { useIsHydrated } from '../lib/use-is-hydrated.ts'

/** Only an administrator fetches these; whoever's do not arrive goes by the address. */
const doorParts = () => import('../admin/door/way-in/door-parts.ts')
const nothing = () => () => null
export const WayIn = lazyScreen<{ className: string }>(() =>
  doorParts()
    .then((parts) => parts.loadDoorPart('WayIn'))
    .catch(nothing),
)
export const SecondFactorOffer = lazyScreen(() =>
  doorParts()
    .then((parts) => parts.loadDoorPart('SecondFactorOffer'))
    .catch(nothing),
)

export function ForAdministrators({ children }: { children: ReactNode }) {
  const level = useStore(sessionStore)?.userLevel
  return useIsHydrated() && level ? <Suspense>{children}</Suspense> : null
}
