import { useSyncExternalStore } from 'react'

const noSubscription = () => () => {}

/** Prerendered pages have no config, so what depends on it renders only after hydration. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  )
