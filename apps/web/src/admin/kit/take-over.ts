import { useLayoutEffect, useRef } from 'react'
import type { Form } from '../../lib/form.ts'

/**
 * Adopts concurrent changes of fields that the administrator did not touch. `previous` must keep its identity for one
 * change.
 */
export function useTakeOver<Values extends Readonly<Record<string, string>>>(
  form: Form<Values>,
  previous: Values | undefined,
  now: Values,
): void {
  const handled = useRef(previous)
  // Before painting, so that the note about a concurrent change never stands beside the former value.
  useLayoutEffect(() => {
    if (!previous || handled.current === previous) return
    handled.current = previous
    for (const name of Object.keys(previous) as (keyof Values & string)[])
      if (form.values[name] === previous[name]) form.set(name, now[name])
  })
}
