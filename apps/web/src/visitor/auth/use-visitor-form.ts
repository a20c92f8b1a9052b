import type { Call } from '@kelid/contract'
import { type FormEvent, type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules, useForm } from '../../lib/form.ts'
import { notify } from '../../lib/notices.ts'
import { useVisitorCalls, type VisitorCalls } from './use-visitor-calls.ts'

interface Options<Values extends object, Body extends object> {
  /** The call whose rules hold. */
  callOf: (calls: VisitorCalls) => Call
  initial: Values
  toBody: (values: Values, calls: VisitorCalls) => Body
  /** A refusal is shown and the form can be used again. */
  onSubmit: (body: Body, calls: VisitorCalls) => void | Promise<void>
}

/**
 * A form that comes without its rules and fetches them when somebody uses it. Until they are there the button sleeps, and
 * whoever presses Enter waits for them.
 */
export function useVisitorForm<Values extends object, Body extends object>({
  callOf,
  initial,
  toBody,
  onSubmit,
}: Options<Values, Body>) {
  const { t } = useTranslation('visitor')
  const [calls, fetchCalls] = useVisitorCalls()
  const bodyOf = useCallback((values: Values) => (calls ? toBody(values, calls) : {}), [calls, toBody])
  const form = useForm(calls && callOf(calls), initial, bodyOf)
  const [isBusy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)

  /** The page is there before its scripts: what was typed or filled in meanwhile counts. */
  const { set } = form
  useLayoutEffect(() => {
    if (!element.current) return
    const typed = [...new FormData(element.current)].filter(([, value]) => value !== '')
    for (const [name, value] of typed) set(name as keyof Values, value as Values[keyof Values])
    if (typed.length > 0 || element.current.contains(document.activeElement)) void fetchCalls()
  }, [set, fetchCalls])

  async function submit() {
    if (isBusy) return
    setBusy(true)
    const arrived = await fetchCalls()
    const isTaken = arrived !== undefined && (await sendTyped(arrived))
    if (!isTaken) setBusy(false)
  }

  /** Whether the server took it; whoever is refused has been told why. */
  async function sendTyped(arrived: VisitorCalls): Promise<boolean> {
    const body = toBody(form.values, arrived)
    if (Object.keys(brokenRules(callOf(arrived), body)).length > 0) {
      form.showAll()
      notify(t('client.incompleteInformation'), 'error')
      return false
    }
    try {
      await onSubmit(body, arrived)
      return true
    } catch (error) {
      arrived.notifyError(t, error)
      return false
    }
  }

  return {
    form,
    calls,
    fetchCalls,
    isBusy,
    /** For the form's element. */
    props: {
      ref: element,
      noValidate: true,
      onFocus: () => void fetchCalls(),
      onChange: () => void fetchCalls(),
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void submit()
      },
      /** A sleeping button swallows Enter; whoever presses it is told what is missing. */
      onKeyDown: ({ key, target }: KeyboardEvent) => {
        if (key === 'Enter' && !form.isValid && target instanceof HTMLInputElement) void submit()
      },
    },
  }
}
