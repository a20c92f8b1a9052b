import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Built pages know nothing of the config: what depends on it is left out until the page is the client's. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
