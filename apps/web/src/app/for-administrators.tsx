import { type ReactNode, Suspense } from 'react'
import { lazyScreen } from '../lib/lazy-screen.tsx'
import { sessionStore } from '../lib/session.ts'
import { useStore } from '../lib/store.ts'
import { useIsHydrated } from '../lib/use-is-hydrated.ts'

/** Only an administrator fetches these; whoever's do not arrive goes by the address. */
const nothing = () => () => null
export const WayIn = lazyScreen<{ className: string }>(() =>
  import('../admin/door/way-in/way-in.tsx').then((part) => part.loadWayIn()).catch(nothing),
)
export const SecondFactorOffer = lazyScreen(() =>
  import('../admin/door/way-in/offer.tsx').then((part) => part.loadSecondFactorOffer()).catch(nothing),
)

export function ForAdministrators({ children }: { children: ReactNode }) {
  const level = useStore(sessionStore)?.userLevel
  return useIsHydrated() && level ? <Suspense>{children}</Suspense> : null
}
