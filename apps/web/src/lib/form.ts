import type { Call } from '@kelid/contract'
import { useCallback, useMemo, useState } from 'react'

/** The first rule that each field breaks as it stands, by the contract of the call the form is for. */
export function brokenRules(call: Call, body: object): Record<string, string> {
  const { error } = call.input.safeParse({ client: 'web', clientVersion: '1.0', ...body })
  const broken: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) broken[String(path[0])] ??= message
  return broken
}

export interface Form<Values extends object> {
  readonly values: Values
  readonly isValid: boolean
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void
  /** A field says what is wrong with it once it was touched: filled in and left. */
  touch(name: keyof Values): void
  /** The broken rule to show beside a field, if it is time to. */
  ruleOf(name: keyof Values): string | undefined
  /** Shows every broken rule, as after a press of the button. */
  showAll(): void
}

/**
 * What is typed, and what the contract says of it. The rules are the call's own, never restated here; while the call is not
 * there yet, nothing is said and nothing is valid.
 */
export function useForm<Values extends object>(
  call: Call | undefined,
  initial: Values,
  toBody: (values: Values) => object,
): Form<Values> {
  const [values, setValues] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<keyof Values>>(new Set())
  const broken = useMemo(() => call && brokenRules(call, toBody(values)), [call, values, toBody])
  const touch = useCallback((name: keyof Values) => setTouched((before) => new Set(before).add(name)), [])
  const set = useCallback(
    <Name extends keyof Values>(name: Name, value: Values[Name]) =>
      setValues((before) => ({ ...before, [name]: value })),
    [],
  )
  return {
    values,
    isValid: broken !== undefined && Object.keys(broken).length === 0,
    set,
    touch,
    ruleOf: (name) => (touched.has(name) ? broken?.[String(name)] : undefined),
    showAll: () => setTouched(new Set(Object.keys(values) as (keyof Values)[])),
  }
}
