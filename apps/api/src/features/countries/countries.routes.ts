import { getCountries } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { offersByCountry } from '../hosts/places.ts'
import { listCountries } from './countries.ts'

export const countriesRoutes = [
  bind(getCountries, async ({ ctx, lng }) => {
    const offers = await offersByCountry(ctx.db)
    return {
      items: listCountries(lng).map((country) => ({
        ...country,
        countryOffers: offers.get(country.countryId) ?? [],
      })),
    }
  }),
]
