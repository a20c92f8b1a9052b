import { getCountries } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { listCountries } from './countries.ts'

export const countriesRoutes = [bind(getCountries, ({ lng }) => ({ items: listCountries(lng) }))]
