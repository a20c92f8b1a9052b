import { useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../lib/current-language.ts'
import { loadPart } from '../../lib/lazy-screen.tsx'
import { loadWords } from '../../lib/load-words.ts'
import { notify } from '../../lib/notices.ts'

export type VisitorCalls = typeof import('./calls/for-forms.ts')

export function useVisitorCalls(): [VisitorCalls | undefined, () => Promise<VisitorCalls | undefined>] {
  const { t, i18n } = useTranslation('visitor')
  const [calls, setCalls] = useState<VisitorCalls>()
  const pendingLoad = useRef<Promise<VisitorCalls | undefined>>(undefined)
  const fetchCalls = useCallback(() => {
    pendingLoad.current ??= loadPart(() =>
      Promise.all([import('./calls/for-forms.ts'), loadWords(i18n, currentLanguage(), ['calls'])]),
    ).then(
      ([arrived]) => {
        setCalls(arrived)
        return arrived
      },
      () => {
        pendingLoad.current = undefined
        notify(t('client.chunkFailed'), 'error')
        return undefined
      },
    )
    return pendingLoad.current
  }, [t, i18n])
  return [calls, fetchCalls]
}
