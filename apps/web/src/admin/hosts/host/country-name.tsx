import type { Country } from '@kelid/contract'
import styles from './country-name.module.css'

/** Id 0 means no country. */
export const CountryName = ({ country }: { country: Omit<Country, 'countryCode'> }) =>
  country.countryId === 0 ? (
    '–'
  ) : (
    <span className={styles.country}>
      <img src={country.countryFlag} alt="" width="20" height="15" loading="lazy" />
      <bdi>{country.countryName}</bdi>
    </span>
  )
