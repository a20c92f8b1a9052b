import { useTranslation } from 'react-i18next'
import { useBind } from '../../kit/bind.ts'
import type { useEdit } from './use-edit.ts'

/** As useBind; beside what is typed stands what somebody else has made of it meanwhile. */
export function useEditBind<Values extends Readonly<Record<string, string>>>({
  form,
  changedTo,
}: Pick<ReturnType<typeof useEdit<Values>>, 'form' | 'changedTo'>) {
  const { t } = useTranslation('admin')
  const bind = useBind(form, false)
  return (name: keyof Values & string) => {
    const bound = bind(name)
    const now = changedTo(name)
    const isOurs = now !== undefined && form.values[name] !== now
    return {
      ...bound,
      error: bound.error ?? (isOurs ? t('hosts.now', { value: now || '–' }) : undefined),
      hint: now !== undefined && !isOurs ? t('hosts.takenOver') : '',
    }
  }
}
