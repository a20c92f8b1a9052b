import { useLayoutEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'

export type Filter = Readonly<Record<string, string>>

/**
 * Keeps a filter in the address without its default values. `latest` prevents two quick changes from undoing each
 * other.
 */
export function useAddressFilter<F extends Filter>(defaults: F): [F, (change: Partial<F>) => void] {
  const [params, setParams] = useSearchParams()
  const [here] = useState(() => location.pathname)
  const names = Object.keys(defaults) as (keyof F & string)[]
  const filter = Object.fromEntries(names.map((name) => [name, params.get(name) ?? defaults[name]])) as F
  const latest = useRef(filter)
  useLayoutEffect(() => {
    latest.current = filter
  })
  const change = (part: Partial<F>) => {
    // A debounced search must not bring back a user who has left the screen.
    if (location.pathname !== here) return
    latest.current = { ...latest.current, ...part }
    const changed = names.filter((name) => latest.current[name] !== defaults[name])
    setParams(Object.fromEntries(changed.map((name) => [name, latest.current[name] as string])), {
      replace: true,
    })
  }
  return [filter, change]
}

export const withFilter = (path: string, filter: Filter): string => `${path}?${new URLSearchParams(filter)}`

/** Ignores values that are not on offer, because an address may contain anything. */
export const oneOf = <Value extends string>(options: readonly Value[], value: string): Value | undefined =>
  options.find((one) => one === value)
