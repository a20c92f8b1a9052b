import { formatNumber } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'
import { SelectField } from '../../ui/field.tsx'
import type { BoundField } from './bind.ts'

const days = Array.from({ length: 31 }, (_, index) => index + 1)

export function MonthDayField(field: BoundField & { label: string; hint: string }) {
  const language = useLanguage()
  return (
    <SelectField
      {...field}
      options={days.map((day) => ({ value: String(day), label: formatNumber(day, language) }))}
    />
  )
}
