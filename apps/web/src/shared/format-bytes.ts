import { type Language, languageFacts } from '@kelid/contract'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const

/** In steps of a thousand, as networks and their bills count: "1.2 GB". */
export function formatBytes(bytes: number, language: Language): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(languageFacts[language].locale, {
    style: 'unit',
    unit: units[power],
    unitDisplay: 'short',
    maximumFractionDigits: power < 3 ? 0 : 1,
  }).format(bytes / 1000 ** power)
}
