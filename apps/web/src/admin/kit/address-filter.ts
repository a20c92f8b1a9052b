import { useLayoutEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'

export type Filter = Readonly<Record<string, string>>

/**
 * A filter that is part of the address: a reload, a bookmark or a link from the dashboard finds it as it was. What is as
 * usual is left out. Two changes in a row, a choice while the search settles say, do not undo each other.
 */
export function useAddressFilter<F extends Filter>(usual: F): [F, (change: Partial<F>) => void] {
  const [params, setParams] = useSearchParams()
  const [here] = useState(() => location.pathname)
  const names = Object.keys(usual) as (keyof F & string)[]
  const filter = Object.fromEntries(names.map((name) => [name, params.get(name) ?? usual[name]])) as F
  const latest = useRef(filter)
  useLayoutEffect(() => {
    latest.current = filter
  })
  const change = (part: Partial<F>) => {
    // Somebody has gone on, and the next screen is on its way: a search that settles now must not call them back.
    if (location.pathname !== here) return
    latest.current = { ...latest.current, ...part }
    const changed = names.filter((name) => latest.current[name] !== usual[name])
    setParams(Object.fromEntries(changed.map((name) => [name, latest.current[name] as string])), {
      replace: true,
    })
  }
  return [filter, change]
}

/** The address of a list that is narrowed and ordered like this. */
export const withFilter = (path: string, filter: Filter): string => `${path}?${new URLSearchParams(filter)}`

/** One of what is on offer, or nothing: an address may say anything. */
export const oneOf = <Value extends string>(offered: readonly Value[], value: string): Value | undefined =>
  offered.find((one) => one === value)
