import { type Language, languageFacts } from '@kelid/contract'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const

/** The cache pays off because creating a format costs more than a table row. */
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(power: number, language: Language): Intl.NumberFormat {
  const key = `${language}${power}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(languageFacts[language].locale, {
      style: 'unit',
      unit: units[power],
      unitDisplay: 'short',
      maximumFractionDigits: power < 3 ? 0 : 1,
    })
  formats.set(key, format)
  return format
}

/** Powers of 1,024, as customers' apps count and as GB are sold. */
export function formatBytes(bytes: number, language: Language): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return formatOf(power, language).format(bytes / 1024 ** power)
}

/** Keeps an amount together inside a sentence of the other direction. */
export const isolated = (text: string): string => `\u2068${text}\u2069`
