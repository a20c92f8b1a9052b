import { getServerLog, type LiveEvent } from '@kelid/contract'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { bodiesTo, isDisabled, press } from '../../../../test/actions.ts'
import { answer, callsTo, refuse } from '../../../../test/answers.ts'
import { serverUUID } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { noticeStore, notify } from '../../../lib/notices.ts'
import { emitLiveEvent } from '../../../shared/events/live-events.ts'
import { AnsibleLog } from './ansible-log.tsx'

let log = ''
beforeEach(() => {
  log = 'PLAY [all]\nok: [fra-1]'
  answer(getServerLog, () => ({ ansibleLog: log, ansibleState: 'provisioning' as const }))
})

const line = (number: number, text: string, run = 'a'): LiveEvent => ({
  type: 'log',
  subject: 'server',
  uuid: serverUUID,
  run,
  number,
  line: text,
})
const emit = (event: LiveEvent) => act(() => emitLiveEvent(event))
const openLog = async () => {
  show(<AnsibleLog kind="server" uuid={serverUUID} />)
  await press('Get the log')
}
/** Opens the log in a frame of 200 pixels, with 1,000 pixels of lines. */
async function openScrolled() {
  await openLog()
  await screen.findByText(/ok: \[fra-1\]/)
  const frame = document.querySelector('[role=region][dir=ltr]') as HTMLElement
  const setHeight = (value: number) =>
    Object.defineProperty(frame, 'scrollHeight', { value, configurable: true })
  Object.defineProperty(frame, 'clientHeight', { value: 200 })
  setHeight(1000)
  const scrollTo = (top: number) => {
    frame.scrollTop = top
    fireEvent.scroll(frame)
  }
  return { frame, setHeight, scrollTo }
}

test('the log is read when the button is pressed, then follows the live stream', async () => {
  await openLog()
  await screen.findByText(/ok: \[fra-1\]/)
  emit(line(3, 'changed: [fra-1]'))
  expect(await screen.findByText(/changed: \[fra-1\]/)).toBeTruthy()
  emit({ ...line(4, 'of another server'), uuid: 'somewhere else' } as LiveEvent)
  expect(bodiesTo(getServerLog)).toEqual([{ serverUUID }])
})

test('a missing line or a new run reads the whole log again', async () => {
  await openLog()
  await screen.findByText(/ok: \[fra-1\]/)
  log = 'PLAY [all]\nok: [fra-1]\nthree\nfour'
  emit(line(4, 'four'))
  await waitFor(() => expect(screen.getByText(/three\nfour/, { normalizer: (text) => text })).toBeTruthy())
  log = 'PLAY again'
  emit(line(1, 'PLAY again', 'b'))
  expect(await screen.findByText('PLAY again')).toBeTruthy()
  expect(screen.queryByText(/four/)).toBeNull()
})

test('lines written before the stream opened are read when it opens and when the run ends', async () => {
  log = ''
  await openLog()
  await screen.findByText('Nothing has been written yet.')
  log = 'one'
  emit({ type: 'ready' })
  expect(await screen.findByText('one')).toBeTruthy()
  log = 'one\nthe last'
  answer(getServerLog, () => ({ ansibleLog: log, ansibleState: 'failed' as const }))
  emit({ type: 'server', serverUUID: 'somewhere else', state: 'failed' })
  emit({ type: 'server', serverUUID, state: 'failed' })
  expect(await screen.findByText(/the last/)).toBeTruthy()
  expect(callsTo(getServerLog)).toHaveLength(3)
  emit({ type: 'ready' })
  expect(callsTo(getServerLog)).toHaveLength(3)
})

test('scrolling up stops following, and a press resumes it', async () => {
  const { frame, scrollTo } = await openScrolled()
  expect(screen.getByText('Follows the newest line.')).toBeTruthy()
  scrollTo(800)
  scrollTo(300)
  expect(screen.getByText(/Stopped following/)).toBeTruthy()
  emit(line(3, 'more'))
  await screen.findByText(/more$/)
  expect(frame.scrollTop).toBe(300)
  await press('Follow again')
  expect(frame.scrollTop).toBe(1000)
  expect(screen.getByText('Follows the newest line.')).toBeTruthy()
})

test('a key press stops following before the first pixel, and resized lines do not resume it', async () => {
  const { frame, setHeight, scrollTo } = await openScrolled()
  scrollTo(800)
  fireEvent.keyDown(frame, { key: 'PageUp' })
  expect(screen.getByText(/Stopped following/)).toBeTruthy()
  // Scrolls one pixel up while 50 pixels are added above: further from the top and further from the end.
  setHeight(1050)
  scrollTo(849)
  expect(screen.getByText(/Stopped following/)).toBeTruthy()
  emit(line(3, 'more'))
  await screen.findByText(/more$/)
  expect(frame.scrollTop).toBe(849)
  scrollTo(850)
  expect(screen.getByText('Follows the newest line.')).toBeTruthy()
})

test('a refusal is shown and the button is enabled again', async () => {
  answer(getServerLog, () => refuse('RESOURCE_NOT_FOUND'))
  await openLog()
  expect((await screen.findAllByText(/There is nothing here/)).length).toBeGreaterThan(0)
  expect(isDisabled('Get the log')).toBe(false)
})

test('the log of a removed host reports no error', async () => {
  await openLog()
  await screen.findByText(/ok: \[fra-1\]/)
  answer(getServerLog, () => refuse('RESOURCE_NOT_FOUND'))
  notify('fra-1 removed', 'success')
  emit(line(9, 'a line after lines that are missing'))
  expect(await screen.findByText(/There is nothing here/)).toBeTruthy()
  expect(noticeStore.get()?.text).toBe('fra-1 removed')
})

test('a run that ends during a read of its log is read again', async () => {
  const replies: ((log: string) => void)[] = []
  answer(getServerLog, async () => {
    const ansibleLog = await new Promise<string>((resolve) => replies.push(resolve))
    return { ansibleLog, ansibleState: 'failed' as const }
  })
  await openLog()
  await waitFor(() => expect(replies).toHaveLength(1))
  emit(line(1, 'the only one'))
  emit({ type: 'server', serverUUID, state: 'failed' })
  replies[0]?.('')
  await waitFor(() => expect(replies).toHaveLength(2))
  replies[1]?.('the only one')
  expect(await screen.findByText('the only one')).toBeTruthy()
})
