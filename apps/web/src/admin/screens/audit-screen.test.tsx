import {
  type AuditEntry,
  checkAudit,
  getAudit,
  getAuditFile,
  getAuditSummary,
  type Language,
} from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { hrefOf, isDisabled, lastBodyTo, press, user } from '../../../test/actions.ts'
import { answer, callsTo } from '../../../test/answers.ts'
import { show } from '../../../test/show.tsx'
import { AuditScreen } from './audit-screen.tsx'

const entry = (change: Partial<AuditEntry>): AuditEntry => ({
  auditId: '7',
  auditDate: new Date(Date.now() - 120_000).toISOString(),
  auditActor: 'admin@kelid.test',
  auditAction: 'setuserlevel',
  auditSubject: 'ali@kelid.test',
  auditDetail: { reason: 'asked <b>for</b> it', to: 1200, from: null },
  auditAddress: '192.0.2.7',
  ...change,
})
const uuid = '11111111-1111-4111-8111-111111111111'
const entries = [
  entry({}),
  entry({
    auditId: '6',
    auditAction: 'brandnewact',
    auditActor: 'command line',
    auditSubject: 'x',
    auditDetail: {},
  }),
  entry({ auditId: '5', auditAction: 'addserver', auditSubject: uuid, auditDetail: { ipv4: '192.0.2.1' } }),
  entry({
    auditId: '4',
    auditAction: 'compensate',
    auditSubject: uuid,
    auditDetail: { kind: 'tunnel', days: 2 },
  }),
  entry({ auditId: '3', auditAction: 'giftdays', auditSubject: uuid, auditDetail: { account: 'home' } }),
  entry({ auditId: '2', auditAction: 'compensate', auditSubject: uuid, auditDetail: { days: 2 } }),
]

const soundSummary = {
  auditLines: 1_207,
  auditActions: ['brandnewact', 'setuserlevel', 'addserver'],
  auditIsSound: true,
  auditCheckedDate: new Date(Date.now() - 300_000).toISOString(),
  auditCheckedLine: 1_200,
  auditBrokenLine: null,
  auditEndIsSound: true,
}

async function open({ at = '/', language = 'en' as Language, summary = {} } = {}) {
  answer(getAudit, () => ({ items: entries, total: 3, nextCursor: null }))
  answer(getAuditSummary, () => ({ ...soundSummary, ...summary }))
  show(<AuditScreen />, { at, language })
  return screen.findByRole<HTMLElement>('table', { name: 'Audit log' })
}

test('a row shows actor, action, subject, old and new values, with links', async () => {
  const table = await open()
  const [, first, second, ...ofUuid] = within(table).getAllByRole('row') as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ]
  expect(first.textContent).toMatch(
    /level changed.*before\s*none.*after\s*1,200.*reason\s*asked <b>for<\/b> it/,
  )
  expect(hrefOf('ali@kelid.test', first)).toBe('/admin/management/people/ali%40kelid.test/')
  expect(within(second).getByText('brandnewact')).toBeTruthy()
  expect(within(second).queryByRole('link', { name: 'command line' })).toBeNull()
  const links = ofUuid.map((row) => within(row).queryByRole('link', { name: uuid })?.getAttribute('href'))
  expect(links).toEqual([
    `/admin/vpn/server/${uuid}/`,
    `/admin/vpn/tunnel/${uuid}/`,
    `/admin/management/accounts/${uuid}/`,
    undefined,
  ])
})

test('the filters of the address are sent, with days in the local time zone', async () => {
  await open({ at: '/?actor=admin@kelid.test&action=setuserlevel&from=2026-11-01&until=2026-11-02' })
  expect(lastBodyTo(getAudit)).toMatchObject({
    actor: 'admin@kelid.test',
    action: 'setuserlevel',
    from: new Date(2026, 10, 1).toISOString(),
    until: new Date(2026, 10, 3).toISOString(),
  })
  expect(screen.getByText('November 1, 2026')).toBeTruthy()
})

test('a person is searched on either side, then on one', async () => {
  await open()
  await user.type(screen.getByLabelText('Full e-mail or UUID'), 'ali@kelid.test')
  await waitFor(() => expect(lastBodyTo(getAudit)).toMatchObject({ about: 'ali@kelid.test' }))
  await user.selectOptions(screen.getByLabelText('Role'), 'Actor')
  await waitFor(() => expect(lastBodyTo(getAudit)).toMatchObject({ actor: 'ali@kelid.test' }))
  expect(lastBodyTo(getAudit)).not.toHaveProperty('about')
  await user.selectOptions(screen.getByLabelText('Action'), 'server added')
  await waitFor(() => expect(lastBodyTo(getAudit)).toMatchObject({ action: 'addserver' }))
})

test('a side can be selected before anything is typed', async () => {
  await open()
  await user.selectOptions(screen.getByLabelText('Role'), 'Subject')
  await user.type(screen.getByLabelText('Full e-mail or UUID'), uuid)
  await waitFor(() => expect(lastBodyTo(getAudit)).toMatchObject({ subject: uuid }))
})

test('a text that is too long shows an error, and an invalid address neither filters nor exports', async () => {
  await open({ at: `/?person=${'a'.repeat(400)}&action=DROP%20TABLE&from=yesterday` })
  expect(screen.getByLabelText('Full e-mail or UUID').getAttribute('aria-invalid')).toBe('true')
  for (const name of ['about', 'action', 'from']) expect(lastBodyTo(getAudit)).not.toHaveProperty(name)
  expect(isDisabled('Download CSV')).toBe(true)
})

test('the last possible day has no day after it', async () => {
  await open({ at: '/?until=%2B275760-09-13' })
  expect(lastBodyTo(getAudit)).not.toHaveProperty('until')
})

test('the file uses the same filters, and an incomplete file is reported', async () => {
  const createUrl = vi.fn(() => 'blob:x')
  Object.assign(URL, { createObjectURL: createUrl, revokeObjectURL: () => {} })
  await open({ at: '/?action=addserver' })
  answer(getAuditFile, () => ({ fileName: 'audit.csv', csv: 'a', isComplete: false }))
  await press('Download CSV')
  expect(await screen.findByText(/the file contains the newest lines/)).toBeTruthy()
  expect(lastBodyTo(getAuditFile)).toMatchObject({ action: 'addserver' })
  expect(createUrl).toHaveBeenCalledOnce()
})

test('a broken chain shows its line, and an unchecked chain claims nothing', async () => {
  await open({ summary: { auditIsSound: false, auditBrokenLine: 17, auditEndIsSound: false } })
  expect(await screen.findByText(/The chain is broken\. Line 17 does not match/)).toBeTruthy()
  expect(screen.getByText(/Lines are missing at the end/)).toBeTruthy()
})

test('a requested check shows its outcome', async () => {
  await open({ summary: { auditIsSound: null, auditCheckedDate: null, auditCheckedLine: null } })
  answer(checkAudit, () => undefined)
  await press('Check now')
  expect(await screen.findByText(/The whole log is being checked/)).toBeTruthy()
  answer(getAuditSummary, () => soundSummary)
  expect(await screen.findByText(/The chain is sound\. Checked up to line 1,200/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Check now' })).toBeTruthy()
  expect(callsTo(checkAudit)).toHaveLength(1)
})
