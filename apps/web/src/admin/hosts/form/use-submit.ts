import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import type { Form } from '../../../lib/form.ts'
import { notify } from '../../../lib/notices.ts'

function showFirstRefused(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"]')
  field?.closest('details')?.setAttribute('open', '')
  field?.focus()
}

export function useSubmit<Values extends object>(
  form: Form<Values>,
  send: () => Promise<void>,
  refusal: string,
) {
  const { t } = useTranslation('admin')
  const [isBusy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<unknown>(null)
  /** A double click can arrive before React disables the button. */
  const isRunning = useRef(false)

  async function run() {
    try {
      await send()
      setDone(true)
    } catch (failure) {
      isRunning.current = false
      setError(failure)
      notifyError(t, failure)
    } finally {
      setBusy(false)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (isRunning.current) return
    setError(null)
    if (form.isValid) {
      isRunning.current = true
      setBusy(true)
      void run()
    } else {
      const { currentTarget } = event
      form.showAll()
      notify(refusal, 'error')
      requestAnimationFrame(() => showFirstRefused(currentTarget))
    }
  }
  return { submit, isBusy: isBusy || isDone, isDone, error }
}
