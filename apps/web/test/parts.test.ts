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
  ['src/admin/hosts/form/add-server-form.tsx', 'admin-hosts-form'],
  ['src/admin/hosts/detail/edit-host.tsx', 'admin-hosts-detail'],
  ['src/admin/screens/server-screen.tsx', 'admin-hosts-detail'],
  ['src/admin/screens/tunnel-screen.tsx', 'admin-hosts-detail'],
  ['src/admin/screens/machine-screen.tsx', 'admin-hosts-detail'],
  ['src/admin/screens/change-server-screen.tsx', 'admin-hosts-form'],
  ['src/admin/screens/servers-screen.tsx', null],
  ['../../packages/contract/src/machines.ts', 'admin-hosts'],
  ['../../packages/contract/src/replacements.ts', 'admin-hosts-detail'],
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
