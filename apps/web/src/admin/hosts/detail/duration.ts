import { type Language, languageFacts } from '@kelid/contract'

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

export function formatDuration(milliseconds: number, language: Language): string {
  const { locale } = languageFacts[language]
  const whole = Math.max(milliseconds, 60_000)
  const first = units.findIndex(([, size]) => whole >= size)
  let rest = whole
  const parts = units.slice(first, first + 2).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    const text = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
    return count > 0 ? [text] : []
  })
  return new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' }).format(parts)
}
