import { getHostHealth } from '@kelid/contract'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '../../../../test/answers.ts'
import { aHealth, aServer, aTunnel } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { hostOfServer, hostOfTunnel } from '../host/host.ts'
import { formatDuration } from './duration.ts'
import { HostHealth } from './host-health.tsx'

const server = hostOfServer(aServer())

test("the panel shows the health, the certificate's issuer, and every outage with length and reason", async () => {
  answer(getHostHealth, () => aHealth())
  show(<HostHealth host={server} />)
  expect(await screen.findByText('It answered as it should.')).toBeTruthy()
  expect(screen.getByText("Let's Encrypt R11").getAttribute('dir')).toBe('ltr')
  const [, up, down] = within(screen.getByRole('table')).getAllByRole('row')
  expect(up?.textContent).toMatch(/Up.*1 day,? 2 hours so far/)
  expect(down?.textContent).toMatch(/Down.*1 hour.*It does not answer\. thr-1/)
})

test("the panel is translated into Persian, and the host's output stays text and left to right", async () => {
  const probeDetail = '<b>ams-1</b>: ECONNREFUSED'
  answer(getHostHealth, () =>
    aHealth({ health: 'down', reason: 'REFUSED', probeOutcome: 'REFUSED', probeDetail, changes: [] }),
  )
  show(<HostHealth host={server} />, { language: 'fa' })
  expect(await screen.findByText('اتصال را رد کرد.')).toBeTruthy()
  expect(screen.getByText(probeDetail).getAttribute('dir')).toBe('ltr')
  expect(screen.getByText(/هنوز چیزی ثبت نشده است/)).toBeTruthy()
})

test('a failed run on a host in service is shown with its next try, and each way with what the probe found', async () => {
  const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString()
  const upkeep = {
    failures: 2,
    runUUID: '',
    failedDate: minutes(-1),
    retryDate: minutes(5),
    lastLine: 'refused',
  }
  const tried = { detail: 'ETIMEDOUT', probeDate: minutes(-1), outcome: 'NO_INTERNET' as const }
  const byTunnel = { ...tried, hostUUID: aTunnel().tunnelUUID, hostName: 'thr-1', isSold: false }
  const direct = { ...byTunnel, detail: '', hostUUID: server.uuid, hostName: server.name, isSold: true }
  answer(getHostHealth, () => aHealth({ upkeep, ways: [byTunnel, direct] }))
  show(<HostHealth host={server} />)
  expect(await screen.findByText(/The host stays in service/)).toBeTruthy()
  expect(screen.getByText('refused').getAttribute('dir')).toBe('ltr')
  const [ways] = screen.getAllByRole('table')
  const [, throughTunnel, directly] = within(ways as HTMLElement).getAllByRole('row')
  expect(throughTunnel?.textContent).toMatch(/thr-1.*Not sold.*no page came through.*ETIMEDOUT/)
  expect(directly?.textContent).toMatch(/Directly.*Sold/)
})

test('a tunnel shows no certificate, and why it was not probed', async () => {
  answer(getHostHealth, () => aHealth({ probeOutcome: 'NO_SERVER' }))
  show(<HostHealth host={hostOfTunnel(aTunnel())} />)
  expect(await screen.findByText('Not probed: no server of its type is ready.')).toBeTruthy()
  expect(screen.queryByText('Certificate issuer')).toBeNull()
})

test.each([
  [5_000, '1 minute', '۱ دقیقه'],
  [3_600_000, '1 hour', '۱ ساعت'],
  [93_900_000, /^1 day,? 2 hours$/, /۱ روز.*۲ ساعت/],
])('%s milliseconds are formatted', (length, english, persian) => {
  expect(formatDuration(length, 'en')).toMatch(english)
  expect(formatDuration(length, 'fa')).toMatch(persian)
})

test('the history shows how many changes there are, and if some are omitted', async () => {
  answer(getHostHealth, () => aHealth())
  const view = show(<HostHealth host={server} />)
  expect(await screen.findByText('2 entries')).toBeTruthy()
  view.unmount()
  answer(getHostHealth, () => aHealth({ changeCount: 73 }))
  show(<HostHealth host={server} />)
  expect(await screen.findByText('73 entries · showing the latest 2')).toBeTruthy()
})
