import { day } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'
import { Mark } from './mark.tsx'
import { adminShapes } from './shapes.ts'

const remindFrom = 14

/** When the hosting of a server ends. Days count in UTC, as on the dashboard. */
export function useEnds() {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  return (date: string) => {
    const days = (Date.parse(date) - Date.parse(new Date().toISOString().slice(0, 10))) / day
    const count = Math.abs(days)
    const values = { date: formatDate(date, language), count, shown: formatNumber(count, language) }
    const key = days < 0 ? 'servers.ended' : days === 0 ? 'servers.endsToday' : 'servers.endsIn'
    return { isSoon: days <= remindFrom, isOverdue: days < 0, date: values.date, text: t(key, values) }
  }
}

export function Ends({ date }: { date: string }) {
  const { isSoon, isOverdue, text, date: formatted } = useEnds()(date)
  if (!isSoon) return formatted
  return (
    <Mark is={isOverdue ? 'bad' : 'quiet'} icon={adminShapes.clock}>
      {text}
    </Mark>
  )
}
