import type { Call } from '@kelid/contract'
import { useCallback } from 'react'
import { useForm } from '../../../lib/form.ts'
import { useBasis } from '../../kit/basis.ts'
import { useTakeOver } from '../../kit/take-over.ts'

type Texts = Readonly<Record<string, string>>

interface Editing<Values extends Texts> {
  readonly call: Call
  readonly target: object
  readonly initial: Values
  readonly read: () => Promise<Values>
  readonly toWire: (values: Partial<Values>) => object
  /** Secrets are never shown, so they are neither compared nor part of the basis. */
  readonly secrets?: readonly string[]
}

/** Sends only changed fields with their previous values, so that edits of different fields do not conflict. */
export function useEdit<Values extends Texts>({
  call,
  target,
  initial,
  read,
  toWire,
  secrets = [],
}: Editing<Values>) {
  const basis = useBasis(initial, read)
  const { now, previous } = basis
  const bodyOf = useCallback(
    (values: Values) => {
      // A password may begin with a space, and a key ends with a line break.
      const textOf = (from: Values, name: string) =>
        secrets.includes(name) ? (from[name] ?? '') : (from[name]?.trim() ?? '')
      const names = Object.keys(values).filter((name) => textOf(values, name) !== now[name])
      const pick = (from: Values) =>
        toWire(Object.fromEntries(names.map((name) => [name, textOf(from, name)])) as Partial<Values>)
      const basedOn = pick(now) as Record<string, unknown>
      for (const name of secrets) delete basedOn[name]
      return { body: { ...target, ...pick(values), basedOn }, isChanged: names.length > 0 }
    },
    [now, target, toWire, secrets],
  )
  const toBody = useCallback((values: Values) => bodyOf(values).body, [bodyOf])
  const form = useForm(call, initial, toBody)
  const { body, isChanged } = bodyOf(form.values)
  useTakeOver(form, previous, now)

  return {
    form,
    body,
    isReady: form.isValid && isChanged,
    readAgain: basis.readAgain,
    changedTo: (name: keyof Values & string): string | undefined =>
      previous && previous[name] !== now[name] ? now[name] : undefined,
    isTyped: (name: keyof Values & string): boolean =>
      form.values[name] !== now[name] && form.values[name] !== previous?.[name],
  }
}
