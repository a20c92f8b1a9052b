import { languageFacts } from '@kelid/contract'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'
import field from '../../ui/field.module.css'
import { TextField } from '../../ui/field.tsx'
import type { BoundField } from './bind.ts'
import { type CalendarDay, dateOf, dayOf, daysIn, hasOwnCalendar, monthName } from './calendar.ts'
import styles from './date-field.module.css'

interface Props extends Partial<BoundField> {
  label: string
  /** '', 2027-01-31 or, with a time, 2027-01-31T08:30. */
  value: string
  onValue: (value: string) => void
  withTime?: boolean
  hint?: string
}

export function DateField({ withTime = false, ...rest }: Props) {
  const language = useLanguage()
  if (hasOwnCalendar(language)) return <PartsField withTime={withTime} {...rest} />
  // Browsers order the parts of a date in their own way, so the hint spells it out.
  const isDay = !withTime && !Number.isNaN(Date.parse(`${rest.value}T00:00`))
  const dateText = isDay && formatDate(`${rest.value}T00:00`, language)
  return <TextField type={withTime ? 'datetime-local' : 'date'} {...rest} hint={rest.hint || dateText} />
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const today = () => {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** The first choice fills the other parts with today; an incomplete date is ''. */
function PartsField({ label, value, onValue, withTime, error, hint, disabled, onBlur }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const note = useId()
  const [date = '', time = '00:00'] = value.split('T')
  const isDate = !Number.isNaN(Date.parse(date))
  const now = dayOf(today(), language)
  const selectedDay = isDate ? dayOf(date, language) : undefined
  const { year, month } = selectedDay ?? now
  const years = [...new Set([...upTo(16).map((place) => now.year + 6 - place), year])].sort((a, b) => b - a)
  const number = (one: number) => one.toLocaleString(languageFacts[language].locale, { useGrouping: false })
  const set = (part: keyof CalendarDay, text: string) => {
    const next = { ...(selectedDay ?? now), [part]: Number(text) }
    onValue(text && dateOf(next, language) + (withTime ? `T${time}` : ''))
  }
  const parts: [keyof CalendarDay, number[], (one: number) => string][] = [
    ['day', upTo(daysIn(year, month, language)), number],
    ['month', upTo(12), (one) => monthName(year, one, language)],
    ['year', years, number],
  ]
  const describes = { 'aria-describedby': note, 'aria-invalid': error !== undefined, className: field.input }
  return (
    <fieldset className={styles.field} disabled={disabled} onBlur={onBlur}>
      <legend>{label}</legend>
      <div className={styles.parts}>
        {parts.map(([part, numbers, format]) => (
          <select
            key={part}
            aria-label={t(`dates.${part}`)}
            value={selectedDay?.[part] ?? ''}
            onChange={({ target }) => set(part, target.value)}
            {...describes}
          >
            <option value="">{t(`dates.${part}`)}</option>
            {numbers.map((one) => (
              <option key={one} value={one}>
                {format(one)}
              </option>
            ))}
          </select>
        ))}
        {withTime && (
          <input
            type="time"
            dir="ltr"
            aria-label={t('dates.time')}
            value={isDate ? time : ''}
            onChange={({ target }) => onValue(`${isDate ? date : today()}T${target.value || '00:00'}`)}
            {...describes}
          />
        )}
      </div>
      <p id={note} className={error ? field.error : field.hint}>
        {error ?? hint}
      </p>
    </fieldset>
  )
}
