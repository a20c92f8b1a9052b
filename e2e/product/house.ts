/** What global setup hands to the tests, which run in processes of their own. */
export interface House {
  readonly url: string
  readonly gatewayUrl: string
  readonly adminToken: string
}

const name = 'KELID_E2E_HOUSE'

export const putHouse = (house: House): void => {
  process.env[name] = JSON.stringify(house)
}

export const theHouse = (): House => JSON.parse(process.env[name] ?? '{}') as House
