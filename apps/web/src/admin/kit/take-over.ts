import { useEffect, useRef } from 'react'
import type { Form } from '../../lib/form.ts'

/**
 * What somebody else changed and this administrator did not touch is taken over, and not changed back unasked. `saw` is the
 * same object for as long as it is the same look.
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
