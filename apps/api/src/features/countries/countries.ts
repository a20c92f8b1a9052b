import { type Country, fallbackLanguage, type Language, languages } from '@kelid/contract'
import countries from 'i18n-iso-countries'

const noCountry: Country = { countryId: 0, countryCode: '', countryName: '', countryFlag: '' }

const namesIn = (language: Language): ReadonlyMap<number, Country> => {
  const compare = new Intl.Collator(language).compare
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const all = Object.entries(countries.getNumericCodes()).map(([number, code]) => ({
    countryId: Number(number),
    countryCode: code,
    countryName: names.of(code) ?? code,
    countryFlag: `/flags/${code.toLowerCase()}.svg`,
  }))
  all.sort((a, b) => compare(a.countryName, b.countryName))
  return new Map(all.map((country) => [country.countryId, country]))
}

const byLanguage = Object.fromEntries(languages.map((language) => [language, namesIn(language)])) as Record<
  Language,
  ReadonlyMap<number, Country>
>

export const listCountries = (language: Language): Country[] => [...byLanguage[language].values()]

export const countryOf = (countryId: number, language: Language): Country =>
  byLanguage[language].get(countryId) ?? noCountry

export const isCountry = (countryId: number): boolean =>
  countryId === 0 || byLanguage[fallbackLanguage].has(countryId)
