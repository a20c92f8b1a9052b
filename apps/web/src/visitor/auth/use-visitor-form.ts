import type { Call } from '@kelid/contract'
import { type FormEvent, type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules, useForm } from '../../lib/form.ts'
import { notify } from '../../lib/notices.ts'
import { useVisitorCalls, type VisitorCalls } from './use-visitor-calls.ts'

interface Options<Values extends object, Body extends object> {
  callOf: (calls: VisitorCalls) => Call
  initial: Values
  toBody: (values: Values, calls: VisitorCalls) => Body
  onSubmit: (body: Body, calls: VisitorCalls) => void | Promise<void>
}

/** Loads its rules on first use. Until then the button is disabled, and Enter waits for them. */
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

  /** Takes over text that was typed or filled in before hydration. */
  const { set } = form
  useLayoutEffect(() => {
    if (!element.current) return
    const filledFields = [...new FormData(element.current)].filter(([, value]) => value !== '')
    for (const [name, value] of filledFields) set(name as keyof Values, value as Values[keyof Values])
    if (filledFields.length > 0 || element.current.contains(document.activeElement)) void fetchCalls()
  }, [set, fetchCalls])

  async function submit() {
    if (isBusy) return
    setBusy(true)
    const loadedCalls = await fetchCalls()
    const isAccepted = loadedCalls !== undefined && (await sendValues(loadedCalls))
    if (!isAccepted) setBusy(false)
  }

  /** Returns false after a refusal, which it has already shown. */
  async function sendValues(loadedCalls: VisitorCalls): Promise<boolean> {
    const body = toBody(form.values, loadedCalls)
    if (Object.keys(brokenRules(callOf(loadedCalls), body)).length > 0) {
      form.showAll()
      notify(t('client.incompleteInformation'), 'error')
      return false
    }
    try {
      await onSubmit(body, loadedCalls)
      return true
    } catch (error) {
      loadedCalls.notifyError(t, error)
      return false
    }
  }

  return {
    form,
    calls,
    fetchCalls,
    isBusy,
    props: {
      ref: element,
      noValidate: true,
      onFocus: () => void fetchCalls(),
      onChange: () => void fetchCalls(),
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void submit()
      },
      /** A disabled button ignores Enter, so the form shows what is missing. */
      onKeyDown: ({ key, target }: KeyboardEvent) => {
        if (key === 'Enter' && !form.isValid && target instanceof HTMLInputElement) void submit()
      },
    },
  }
}
