import { useEffect, useRef } from 'react'
import type { Form } from '../../lib/form.ts'

/**
 * Adopts concurrent changes of fields that the administrator did not touch. `saw` must keep its identity for one
 * change.
 */
export function useTakeOver<Values extends Readonly<Record<string, string>>>(
  form: Form<Values>,
  saw: Values | undefined,
  now: Values,
): void {
  const done = useRef(saw)
  useEffect(() => {
    if (!saw || done.current === saw) return
    done.current = saw
    for (const name of Object.keys(saw) as (keyof Values & string)[])
      if (form.values[name] === saw[name]) form.set(name, now[name])
  })
}
