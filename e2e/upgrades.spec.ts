import {
  type Answer,
  getHostPrograms,
  getUpgrades,
  type Programs,
  startRollout,
  upgradeHost,
} from '@kelid/contract'
import { adminPaths } from '../apps/web/src/admin/paths.ts'
import { examine } from './examine.ts'
import { button, heading, inline, notice } from './see.ts'
import { expect, asAdministrator as test } from './test.ts'
import { answer, letThrough, refuse } from './wire.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const digest = (of: string) => of.repeat(64).slice(0, 64)

const before: Programs = {
  core: { version: '26.3.27', sha256: digest('a1') },
  agent: { version: '0.1.0', sha256: digest('b1') },
  node: { version: '24.21.0', sha256: digest('c1') },
}
const newest: Programs = {
  ...before,
  core: { version: '26.5.9', sha256: digest('a2') },
  agent: { version: '0.1.0', sha256: digest('b2') },
}

type Host = Answer<typeof getHostPrograms>['items'][number]
const lastLine =
  'The other core did not work on this host, so the one from before runs again; the log above has its last words.'

const host = (number: number, change: Partial<Host> = {}): Host => ({
  hostUUID: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  hostKind: number % 3 === 0 ? 'tunnel' : 'server',
  hostName: `fra-${number}`,
  hostState: 'ready',
  upgradeState: 'outdated',
  wantedPrograms: before,
  installedPrograms: before,
  agentVersion: '0.1.0',
  coreVersion: '26.3.27',
  failedUpgrade: null,
  ...change,
})
const done = {
  upgradeState: 'current',
  wantedPrograms: newest,
  installedPrograms: newest,
  coreVersion: '26.5.9',
} as const
const waiting = { upgradeState: 'waiting', wantedPrograms: newest } as const
const failed = {
  upgradeState: 'failed',
  failedUpgrade: { runUUID: null, failedDate: ago(3), lastLine },
} as const
const unknown = { wantedPrograms: null, installedPrograms: null, agentVersion: '', coreVersion: '' }

const listOf = (items: Host[]) => ({ items, nextCursor: null, total: items.length })
const summary = {
  newestPrograms: newest,
  currentHosts: 1,
  currentMachines: 1,
  waitingHosts: 0,
  outdatedHosts: 11,
  rollout: null,
}
const rollout = {
  rolloutPrograms: newest,
  rolloutStartedDate: ago(12),
  rolloutStartedBy: 'a.very.long.name@administrators.example.com',
}

test('an installation without a core says that there is nothing to install', async ({
  page,
  say,
  language,
}) => {
  await page.goto(adminPaths.upgrades)
  await expect(heading(page, say('upgrades.title'))).toBeVisible()
  await expect(page.getByText(say('upgrades.nothingToInstall'))).toBeVisible()
  await answer(page, getHostPrograms, listOf([]))
  await page.reload()
  await expect(page.getByText(say('upgrades.none'))).toBeVisible()
  await examine(page, 'admin-upgrades-empty', language)
})

test('one host is upgraded, then the rest; progress and a failure are shown', async ({
  page,
  say,
  language,
}) => {
  const rest = Array.from({ length: 7 }, (_, at) => host(at + 5))
  await answer(page, getUpgrades, { ...summary, currentHosts: 0, currentMachines: 0, outdatedHosts: 12 })
  await answer(page, getHostPrograms, listOf([host(1), host(2), ...rest]))
  await page.goto(adminPaths.upgrades)
  await expect(page.getByText(say('upgrades.oneFirst'))).toBeVisible()
  await expect(button(page, say('upgrades.rest'))).toHaveCount(0)

  await answer(page, upgradeHost, {})
  const asked = page.waitForRequest((request) => request.url().endsWith(upgradeHost.path))
  await button(page, say('upgrades.actOn', { name: 'fra-1' })).press('Enter')
  await expect(page.getByRole('dialog')).toContainText(say('upgrades.cuts'))
  await examine(page, 'admin-upgrades-one', language)
  await letThrough(page, getUpgrades)
  await letThrough(page, getHostPrograms)
  await answer(page, getUpgrades, summary)
  await answer(page, getHostPrograms, listOf([host(1, done), host(2), host(3, unknown), ...rest]))
  await button(page.getByRole('dialog'), say('upgrades.act')).press('Enter')
  expect((await asked).postDataJSON()).toMatchObject({ hostUUID: host(1).hostUUID })
  await expect(notice(page, say('upgrades.actDone', { name: 'fra-1' }))).toBeVisible()

  await button(page, say('upgrades.rest')).press('Enter')
  await refuse(page, startRollout, 'UPGRADE_ONE_FIRST')
  await button(page.getByRole('dialog'), say('upgrades.rest')).press('Enter')
  await expect(inline(page.getByRole('dialog'), say('errors.UPGRADE_ONE_FIRST'))).toBeVisible()
  await letThrough(page, startRollout)
  await answer(page, startRollout, {})
  await letThrough(page, getUpgrades)
  await letThrough(page, getHostPrograms)
  await answer(page, getUpgrades, {
    ...{ ...summary, currentHosts: 4, waitingHosts: 3, outdatedHosts: 5 },
    rollout: { ...rollout, rolloutState: 'running', rolloutFinishedDate: null, failedHost: null },
  })
  await answer(
    page,
    getHostPrograms,
    listOf([host(1, done), host(2, done), host(3, waiting), host(4, waiting), ...rest]),
  )
  await button(page.getByRole('dialog'), say('upgrades.rest')).press('Enter')
  await expect(button(page, say('upgrades.stop'))).toBeVisible()
  await expect(page.getByText(say('upgrades.states.waiting'))).toHaveCount(2)
  await examine(page, 'admin-upgrades-running', language)

  await letThrough(page, getUpgrades)
  await letThrough(page, getHostPrograms)
  const failedHost = { hostUUID: host(3).hostUUID, hostKind: 'tunnel' as const, hostName: 'fra-3', lastLine }
  await answer(page, getUpgrades, {
    ...{ ...summary, currentHosts: 5, outdatedHosts: 7 },
    rollout: { ...rollout, rolloutState: 'failed', rolloutFinishedDate: ago(2), failedHost },
  })
  await answer(
    page,
    getHostPrograms,
    listOf([host(1, done), host(2, done), host(3, failed), host(4), ...rest]),
  )
  await page.reload()
  await expect(page.getByRole('alert').getByText(lastLine)).toBeVisible()
  await expect(
    page.getByRole('row', { name: 'fra-3' }).getByText(say('upgrades.states.failed')),
  ).toBeVisible()
  await examine(page, 'admin-upgrades-failed', language)
})

test('a list that cannot be read says so', async ({ page, say, language }) => {
  await refuse(page, getHostPrograms, 'UNAVAILABLE')
  await refuse(page, getUpgrades, 'UNAVAILABLE')
  await page.goto(adminPaths.upgrades)
  await expect(page.getByText(say('upgrades.failedToRead')).first()).toBeVisible()
  await expect(page.getByText(say('upgrades.summaryFailed')).first()).toBeVisible()
  await examine(page, 'admin-upgrades-error', language)
})
