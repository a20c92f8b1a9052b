import { type Answer, getMachine, getReplacement, replaceHost, stopReplacing } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { isDisabled, lastBodyTo, press, retype, user } from '../../../../test/actions.ts'
import { answer } from '../../../../test/answers.ts'
import { answerNewMachines, aServer, aService, tunnelUUID } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { hostOfServer } from '../host/host.ts'
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
