import type { Call } from '@kelid/contract'
import { useCallback, useMemo, useState } from 'react'

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
  /** A touched field shows its error; a field is touched when it is left with content. */
  touch(name: keyof Values): void
  ruleOf(name: keyof Values): string | undefined
  showAll(): void
}

/** Uses the rules of the call; without a call nothing is valid and no error is shown. */
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
