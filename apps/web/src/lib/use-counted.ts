import { formatNumber } from './format.ts'
import { useLanguage } from './use-language.ts'

/** A count and its digits, as the texts with a plural take them. */
export function useCounted() {
  const language = useLanguage()
  return (count: number) => ({ count, shown: formatNumber(count, language) })
}
