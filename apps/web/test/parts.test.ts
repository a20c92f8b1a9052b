import { join } from 'node:path'
import { expect, test } from 'vitest'
import { partOf } from '../parts.ts'

const web = join(import.meta.dirname, '..')
const at = (path: string) => partOf(join(web, path))

test.each([
  ['src/app/shell.tsx', 'app'],
  ['src/ui/button.tsx', 'app'],
  ['src/ui/appearance/theme.ts', 'ui-appearance'],
  ['src/ui/loading/loading.tsx', 'shared'],
  ['src/visitor/home/landing/landing.tsx', 'visitor-home-landing'],
  ['src/calls/api.ts', 'calls'],
  ['src/shared/reads/query.ts', 'shared'],
  ['src/visitor/auth/credentials-form.tsx', 'visitor'],
  ['src/reseller/accounts/account-cache.ts', 'reseller'],
  ['src/reseller/accounts/list/account-list.tsx', 'reseller-accounts-list'],
  ['src/reseller/screens/accounts-screen.tsx', null],
  ['src/admin/hosts/log/log-box.tsx', 'admin-hosts'],
  ['src/admin/users/person/about.tsx', 'admin-people'],
  ['src/admin/credit/money/amounts.tsx', 'admin-people'],
  ['../../packages/contract/src/constants/languages.ts', 'app'],
  ['../../packages/contract/src/rules.ts', 'calls'],
  ['../../packages/contract/src/tunnels.ts', 'admin'],
  ['../../node_modules/zod/v4/mini/index.js', 'calls'],
])('%s belongs to the chunk %s', (path, part) => {
  expect(at(path)).toBe(part)
})

test.each([
  'src/features/accounts/list.tsx',
  'src/main.ts',
  '../../packages/contract/src/nodes.ts',
  '../../node_modules/left-pad/index.js',
])('%s has no chunk, and the build fails with its name', (path) => {
  expect(() => at(path)).toThrow(path)
})
