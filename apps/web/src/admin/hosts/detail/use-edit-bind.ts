import { adminPatterns } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useBind } from '../../kit/bind.ts'
import type { useEdit } from './use-edit.ts'

/** Like useBind, plus the concurrent value. */
export function useEditBind<Values extends Readonly<Record<string, string>>>({
  form,
  changedTo,
  isTyped,
}: Pick<ReturnType<typeof useEdit<Values>>, 'form' | 'changedTo' | 'isTyped'>) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const bind = useBind(form, false)
  const formatted = (value: string) => (adminPatterns.date.test(value) ? formatDate(value, language) : value)
  return (name: keyof Values & string) => {
    const field = bind(name)
    const now = changedTo(name)
    const isOurs = now !== undefined && isTyped(name)
    return {
      ...field,
      error: field.error ?? (isOurs ? t('hosts.now', { value: formatted(now) || '–' }) : undefined),
      hint: now !== undefined && !isOurs ? t('hosts.takenOver') : '',
    }
  }
}
