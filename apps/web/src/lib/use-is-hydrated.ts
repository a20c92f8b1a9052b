import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Prerendered pages have no config, so what depends on it renders only after hydration. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
