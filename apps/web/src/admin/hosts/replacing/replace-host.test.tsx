import {
  type Answer,
  endBlock,
  getMachine,
  getReplacement,
  replaceHost,
  stopReplacing,
} from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { confirm, isDisabled, lastBodyTo, press, retype, user } from '../../../../test/actions.ts'
import { answer } from '../../../../test/answers.ts'
import { answerNewMachines, aServer, aService, tunnelUUID } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { emitLiveEvent } from '../../../shared/events/live-events.ts'
import { hostOfServer } from '../host/host.ts'
import { HostBlocks } from './host-blocks.tsx'
import { ReplaceHost } from './replace-host.tsx'

const host = hostOfServer(aServer())
const preview: Answer<typeof getReplacement> = { ways: 214, placed: 200, elsewhere: 30, latest: null }

beforeEach(answerNewMachines)

test('replacing shows before and after in numbers, and asks for a reason', async () => {
  answer(getReplacement, () => preview)
  answer(replaceHost, () => null)
  const onClose = vi.fn()
  show(<ReplaceHost host={host} onClose={onClose} />)
  for (const text of ['214', '200', '30', /There are not enough free places/])
    expect(await screen.findByText(text)).toBeTruthy()
  expect(isDisabled('Replace')).toBe(true)
  await retype('Reason', 'blocked by an operator')
  await press('Replace')
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(lastBodyTo(replaceHost)).toEqual({ hostUUID: host.uuid, reason: 'blocked by an operator' })
})

test('a blocked address can concern the whole machine, and the numbers are those of all its services', async () => {
  const services = [aService(), aService({ hostUUID: tunnelUUID, hostName: 'beside' })]
  answer(getMachine, ({ machineIPV4 }) => ({ machineIPV4, machineSSHPort: 22, services }))
  answer(getReplacement, ({ wholeMachine }) => (wholeMachine ? { ...preview, ways: 300 } : preview))
  answer(replaceHost, () => null)
  const onClose = vi.fn()
  show(<ReplaceHost host={host} onClose={onClose} />)
  expect(await screen.findByText('214')).toBeTruthy()
  await user.click(await screen.findByRole('switch', { name: /also replace the other services/ }))
  expect(await screen.findByText('300')).toBeTruthy()
  await retype('Reason', 'blocked')
  await press('Replace')
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(lastBodyTo(replaceHost)).toEqual({ hostUUID: host.uuid, wholeMachine: true, reason: 'blocked' })
})

test('a host can be blocked for the customers of one operator, which accounts here name', async () => {
  const targets = [{ accountTargetCountry: 'Iran', accountTargetOperator: 'MCI', ways: 41 }]
  answer(getReplacement, ({ accountTargetOperator, alsoUnstated }) => ({
    ...preview,
    targets,
    ...(accountTargetOperator && { ways: alsoUnstated ? 61 : 41, unstated: 20, placed: 41, elsewhere: 0 }),
  }))
  answer(replaceHost, () => null)
  const onClose = vi.fn()
  show(<ReplaceHost host={host} onClose={onClose} />, { language: 'fa' })
  await user.click(await screen.findByRole('button', { name: /MCI · Iran/ }))
  expect(await screen.findByText(/فقط برای بعضی مشتری‌ها/)).toBeTruthy()
  await user.click(await screen.findByRole('switch', { name: /۲۰ اکانتی هم که این را نگفته‌اند/ }))
  expect(await screen.findByText('۶۱')).toBeTruthy()
  expect(await screen.findByText(/جای خالی کافی نیست/)).toBeTruthy()
  await retype('دلیل', 'blocked')
  await waitFor(() => expect(isDisabled('جایگزینی')).toBe(false))
  await press('جایگزینی')
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(lastBodyTo(replaceHost)).toEqual({
    hostUUID: host.uuid,
    ...{ accountTargetCountry: 'Iran', accountTargetOperator: 'MCI', alsoUnstated: true, reason: 'blocked' },
  })
})

const running: NonNullable<Answer<typeof getReplacement>['latest']> = {
  moved: 0,
  stuck: 0,
  ...{ reason: 'blocked', startedDate: '2020-12-20T10:00:00.000Z' },
  ...{ startedBy: 'admin@kelid.test', finishedDate: null },
}

test('the page of a host says for whom it is blocked and how far that has come, and lets one end it', async () => {
  const block = {
    ...{ accountTargetCountry: 'Iran', accountTargetOperator: 'MCI', alsoUnstated: false },
    ...{ sinceDate: '2020-12-20T10:00:00.000Z', blockedBy: 'admin@kelid.test' },
  }
  let blocks = [block]
  answer(getReplacement, () => ({
    ...preview,
    blocks,
    latestOfBlocks: { ...running, moved: 33, stuck: 8 },
  }))
  answer(endBlock, () => {
    blocks = []
    return null
  })
  show(<HostBlocks host={host} />)
  expect(await screen.findByText(/Blocked for customers of .*MCI · Iran/)).toBeTruthy()
  for (const text of ['33', '8', /admin@kelid.test/]) expect(screen.getByText(text)).toBeTruthy()
  await press('No longer blocked')
  await confirm('No longer blocked')
  await waitFor(() =>
    expect(lastBodyTo(endBlock)).toEqual({
      hostUUID: host.uuid,
      ...{ accountTargetCountry: 'Iran', accountTargetOperator: 'MCI' },
    }),
  )
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Blocked' })).toBeNull())
})

test('the page of a host that is replaced shows how far it is, and what an event changes', async () => {
  let moved = 100
  answer(getReplacement, () => ({
    ...preview,
    ways: 214 - moved,
    latest: { ...running, moved, stuck: 0 },
  }))
  show(<HostBlocks host={host} />)
  expect(await screen.findByText('100')).toBeTruthy()
  moved = 200
  emitLiveEvent({ type: 'server', serverUUID: host.uuid, state: 'ready' })
  expect(await screen.findByText('200')).toBeTruthy()
  expect(screen.getByText('14')).toBeTruthy()
})

test('an open replacement shows how far it is and can be stopped, in Persian too', async () => {
  const latest = { reason: 'down', startedDate: '2020-12-20T10:00:00.000Z', startedBy: '' } as const
  answer(getReplacement, () => ({
    ...preview,
    ways: 14,
    latest: { ...latest, moved: 200, stuck: 5, finishedDate: null },
  }))
  answer(stopReplacing, () => null)
  show(<ReplaceHost host={host} onClose={() => undefined} />, { language: 'fa' })
  for (const text of ['۲۰۰', '۱۴', '۵', /تا برگشتن آن/]) expect(await screen.findByText(text)).toBeTruthy()
  await press('توقف جایگزینی')
  await waitFor(() => expect(lastBodyTo(stopReplacing)).toEqual({ hostUUID: host.uuid }))
})
