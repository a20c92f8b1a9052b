import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adminRoutes } from '../admin/routes.ts'
import { routes } from './routes.ts'

const folder = (area: string) => join(import.meta.dirname, '..', area, 'screens')
const screensIn = (area: string) =>
  readdirSync(folder(area))
    .filter((name) => name.endsWith('-screen.tsx'))
    .map((name) => name.replace('.tsx', ''))
const tableOf = (area: string) => [
  ...routes.filter((route) => route.area === area),
  ...(area === 'admin' ? adminRoutes : []),
]

test.each(['visitor', 'reseller', 'admin'])('every screen of %s has a row in a table of routes', (area) => {
  const named = new Set(tableOf(area).map(({ screen }) => screen))
  expect([...named].toSorted()).toEqual(screensIn(area).toSorted())
})

test.each(['visitor', 'reseller', 'admin'])('every screen file of %s exports one component', (area) => {
  for (const name of screensIn(area)) {
    const text = readFileSync(join(folder(area), `${name}.tsx`), 'utf8')
    expect(text.match(/^export (?!type|interface)/gm), name).toHaveLength(1)
  }
})

test('a screen of resellers is closed to visitors', () => {
  expect(routes.filter(({ area, access }) => area === 'reseller' && access !== 'user')).toEqual([])
})

test('a path ends with a slash or a parameter', () => {
  for (const { path } of [...routes, ...adminRoutes]) expect(path).toMatch(/(?:\/\*?|:\w+)$/)
})
