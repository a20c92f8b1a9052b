import { expect, test } from 'vitest'
import { adminPaths, changeTunnelPath, personPath, serverPath, tunnelPath } from '../paths.ts'
import { sectionAt } from './sections.ts'

test.each([
  [adminPaths.dashboard, 'dashboard'],
  [adminPaths.vpn, 'servers'],
  [adminPaths.servers, 'servers'],
  [serverPath('a'), 'servers'],
  [adminPaths.tunnels, 'tunnels'],
  [tunnelPath('a'), 'tunnels'],
  [changeTunnelPath('a'), 'tunnels'],
  [adminPaths.tunnelCredit, 'tunnelCredit'],
  [adminPaths.ledger, 'credit'],
  [personPath('a@b.lan'), 'people'],
  ['/admin/management/accounts/a/', 'people'],
])('%s is in %s', (path, section) => {
  expect(sectionAt(path)?.name).toBe(section)
})
