import { adminRoutes } from '../apps/web/src/admin/routes.ts'
import { type Route, routes } from '../apps/web/src/app/routes.ts'

export interface ListedScreen {
  /** Area and file: `reseller/account`. */
  readonly name: string
  readonly path: string
  readonly isPrerendered?: boolean
}

const nameOf = (area: Route['area'], screen: string) => `${area}/${screen.replace(/-screen$/, '')}`

/** The screens of an area, each at its first address in the tables of routes. */
export function screensOf(area: Route['area']): ListedScreen[] {
  const rows: readonly Pick<Route, 'path' | 'screen' | 'isPrerendered'>[] =
    area === 'admin' ? adminRoutes : routes.filter((route) => route.area === area)
  const screens = new Map<string, ListedScreen>()
  for (const { screen, ...row } of rows) {
    const name = nameOf(area, screen)
    if (!screens.has(name)) screens.set(name, { name, ...row })
  }
  return [...screens.values()]
}

/** The address with values for its parameters; a parameter without a value is an error. */
export const fillPath = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/, (_, parameter: string) => {
    const value = values[parameter]
    if (!value) throw new Error(`no ${parameter} for ${path}`)
    return encodeURIComponent(value)
  })

export const somePhone = '09121234567'
