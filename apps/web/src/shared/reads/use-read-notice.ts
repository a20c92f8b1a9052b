import { RefusedByServer } from '@kelid/contract'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { explain } from '../../calls/explain.ts'
import { notify } from '../../lib/notices.ts'

/** A read that failed is told at the top as well: what the server said, or `text` when it said nothing. */
export function useReadNotice(error: Error | null, text: string): void {
  const { t } = useTranslation('shared')
  useEffect(() => {
    if (!error) return
    if (error instanceof RefusedByServer) {
      const { text: said, autoHide } = explain(t, error)
      notify(said, 'error', autoHide)
    } else notify(text, 'error')
  }, [error]) // once a failure, not again in another language
}
