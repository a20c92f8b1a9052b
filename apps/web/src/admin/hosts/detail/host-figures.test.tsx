import { getHostFigures } from '@kelid/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '../../../../test/answers.ts'
import { serverUUID, someFigures } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { HostFigures } from './host-figures.tsx'

const open = (change: Parameters<typeof someFigures>[0] = {}, language: 'en' | 'fa' = 'en') => {
  answer(getHostFigures, () => someFigures(change))
  show(<HostFigures hostUUID={serverUUID} />, { language })
}
const of = async (title: string) =>
  (await screen.findByText(title)).nextElementSibling?.textContent
    ?.replace(/[\u2068\u2069]/g, '')
    .replaceAll('\u00a0', ' ')

test('the figures show accounts, traffic, connections, load, versions and clock', async () => {
  open()
  expect(await of('Accounts')).toBe('198 active of 214')
  expect(await of('Traffic today (UTC)')).toBe('22.9 GB (down 21.8 GB, up 1.1 GB)')
  expect(await of('Traffic in total')).toMatch(/^2\.2 TB/)
  expect(await of('Connections now')).toBe('1,312')
  expect(await of('Machine load')).toBe('0.42')
  expect(await of('Agent version')).toBe('1.0.0')
  expect(screen.getByText('26.3.27').getAttribute('dir')).toBe('ltr')
  expect(await of('Clock')).toBe('Accurate to the second')
  expect(screen.queryByText(/silent since/)).toBeNull()
})

test('the figures use Persian numbers, and versions stay left to right', async () => {
  open({ clockOffsetMs: -7_400 }, 'fa')
  expect(await of('اکانت‌ها')).toBe('۱۹۸ فعال از ۲۱۴')
  expect(await of('بار دستگاه')).toBe('۰٫۴۲')
  expect(await of('ساعت آن')).toMatch(/^۷ ثانیه عقب$/)
  expect(screen.getByText('1.0.0').getAttribute('dir')).toBe('ltr')
})

test('without an agent the panel says so and shows no figures', async () => {
  open({
    hostConnections: null,
    hostLoad: null,
    agentVersion: '',
    coreVersion: '',
    coreSinceDate: null,
    clockOffsetMs: null,
    agentHeardDate: null,
  })
  expect(await screen.findByText(/Its agent has not reported yet/)).toBeTruthy()
  expect(await of('Accounts')).toBe('198 active of 214')
  for (const absent of ['Connections now', 'Machine load', 'Core version', 'Last contact'])
    expect(screen.queryByText(absent)).toBeNull()
})

test('a silent agent shows since when it is silent, and a missing core is reported', async () => {
  const agentHeardDate = new Date(Date.now() - 3 * 3_600_000).toISOString()
  open({ agentSilent: true, agentHeardDate, clockOffsetMs: 125_000, coreVersion: '', coreSinceDate: null })
  expect((await screen.findByText(/silent since/)).textContent).toMatch(
    /^Last contact 3 hours ago, silent since\./,
  )
  expect(await of('Connections then')).toBe('1,312')
  expect(await of('Clock')).toBe('2 minutes ahead')
  expect(await of('Core version')).toBe('The core is not running')
})
