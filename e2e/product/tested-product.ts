/** Global setup shares this with the test processes through the environment. */
export interface TestedProduct {
  readonly url: string
  readonly gatewayUrl: string
  readonly adminToken: string
}

const name = 'KELID_E2E_PRODUCT'

export const shareProduct = (product: TestedProduct): void => {
  process.env[name] = JSON.stringify(product)
}

export const testedProduct = (): TestedProduct => JSON.parse(process.env[name] ?? '{}') as TestedProduct
