import { type Answer, getHostPrograms, getUpgrades, type Programs } from '@kelid/contract'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '../../../test/answers.ts'
import { show } from '../../../test/show.tsx'
import { UpgradesScreen } from '../screens/upgrades-screen.tsx'

const program = (version: string, digit: string) => ({ version, sha256: digit.repeat(64) })
const before: Programs = {
  core: program('26.3.27', 'a'),
  agent: program('0.1.0', 'b'),
  node: program('24.1.0', 'c'),
}
const newest: Programs = { ...before, core: program('26.5.9', 'd'), agent: program('0.1.0', 'e') }
const host: Answer<typeof getHostPrograms>['items'][number] = {
  hostUUID: 'one',
  hostKind: 'server',
  hostName: 'fra-1',
  hostState: 'ready',
  upgradeState: 'waiting',
  wantedPrograms: newest,
  installedPrograms: before,
  agentVersion: '0.1.0',
  coreVersion: '26.3.27',
  failedUpgrade: null,
}
const summary = {
  newestPrograms: newest,
  currentHosts: 1,
  currentMachines: 1,
  waitingHosts: 0,
  outdatedHosts: 2,
  rollout: null,
}

test('wanted and running versions are shown, and two builds of one version by their digests', async () => {
  answer(getUpgrades, () => summary)
  answer(getHostPrograms, () => ({ items: [host], nextCursor: null, total: 1 }))
  show(<UpgradesScreen />)
  const row = within((await screen.findByText('fra-1')).closest('tr') as HTMLElement)
  expect(row.getByText('core 26.5.9, agent \u20660.1.0 (eeeeeeee)\u2069, Node.js 24.1.0')).toBeTruthy()
  expect(row.getByText('core 26.3.27, agent \u20660.1.0 (bbbbbbbb)\u2069, Node.js 24.1.0')).toBeTruthy()
  expect(row.queryByRole('button', { name: 'Upgrade fra-1' })).toBeNull()
  expect(await screen.findByRole('button', { name: 'Upgrade the rest' })).toBeTruthy()
})

test('a core that the agent reports and no run has installed is shown, and a host without a report is unknown', async () => {
  answer(getUpgrades, () => ({ ...summary, currentHosts: 0, currentMachines: 0 }))
  const other = { ...host, upgradeState: 'outdated' as const, wantedPrograms: before, coreVersion: '1.8.4' }
  const none = { ...other, hostUUID: 'two', hostName: 'thr-1', wantedPrograms: null, installedPrograms: null }
  const silent = { ...none, upgradeState: 'unknown' as const, agentVersion: '', coreVersion: '' }
  answer(getHostPrograms, () => ({ items: [other, silent], nextCursor: null, total: 2 }))
  show(<UpgradesScreen />, { language: 'fa' })
  expect(await screen.findByText(/هسته 1\.8\.4، عامل 0\.1\.0/)).toBeTruthy()
  const row = within(screen.getByText('thr-1').closest('tr') as HTMLElement)
  expect(row.getAllByText('–')).toHaveLength(2)
  expect(row.getByRole('button', { name: 'ارتقا: thr-1' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'ارتقای بقیه' })).toBeNull()
})
