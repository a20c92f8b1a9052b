// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'
import { createLogFeed, plainText } from './log-feed.ts'
import { createLogPaper } from './log-paper.ts'

let frames: FrameRequestCallback[] = []
const drawFrame = () => {
  const dueFrames = frames
  frames = []
  for (const frame of dueFrames) frame(0)
}
beforeEach(() => {
  frames = []
  vi.stubGlobal('requestAnimationFrame', (work: FrameRequestCallback) => frames.push(work))
})

const sheet = () => {
  const root = document.createElement('div')
  return { root, paper: createLogPaper(root, () => {}) }
}
const visibleText = (root: HTMLElement) =>
  [...root.children].map((piece) => (piece.textContent ?? '').replace(/\n$/, '')).join('\n')

test.each([
  ['nothing', ''],
  ['one line', 'one'],
  ['an empty first line', '\none'],
  ['empty lines at the end', 'one\n\n'],
  ['exactly a piece', Array(200).fill('line').join('\n')],
  ['a line more than a piece', Array(201).fill('line').join('\n')],
  ['lines of many lengths', Array.from({ length: 3000 }, (_, n) => 'x'.repeat(n % 300)).join('\n')],
])('%s is shown as written, read at once or line by line', (_, text) => {
  const whole = sheet()
  whole.paper.show(text)
  drawFrame()
  expect(whole.root.textContent).toBe(text)
  const live = sheet()
  live.paper.show('')
  for (const [index, line] of text.split('\n').entries()) {
    live.paper.append(line)
    if (index % 7 === 0) drawFrame()
  }
  drawFrame()
  expect(live.root.textContent).toBe(text)
  if (!text.endsWith('\n')) expect(visibleText(live.root)).toBe(text)
})

test('50,000 streamed lines are written once per frame, and written lines stay untouched', () => {
  const { root, paper } = sheet()
  paper.show('first')
  drawFrame()
  const [first] = root.children
  let writes = 0
  for (let n = 0; n < 50_000; n++) {
    paper.append(`task ${n}`)
    if (n % 500 === 499) {
      expect(frames.length).toBe(1)
      drawFrame()
      writes += 1
    }
  }
  expect(writes).toBe(100)
  expect(root.children[0]).toBe(first)
  expect(root.textContent?.split('\n').length).toBe(50_001)
  expect(root.querySelectorAll('*').length).toBe(root.children.length)
})

test('a line longer than a piece is split, never inside a character', () => {
  const { root, paper } = sheet()
  paper.show('\u{1f511}'.repeat(100_000))
  drawFrame()
  expect(root.children.length).toBeGreaterThan(5)
  for (const piece of root.children) expect(piece.textContent).toMatch(/^\u{1f511}+$/u)
})

test('terminal codes and bidi controls are removed, and Persian spelling stays', () => {
  expect(
    plainText('\u001b[31mred\u001b[0m \u001b]0;title\u0007\u202eevil\u202c\u0000 می\u200cشود\tend'),
  ).toBe('red evil می\u200cشود\tend')
})

test('the next line is appended, a known line is ignored, and a gap triggers a read', () => {
  const feed = createLogFeed()
  feed.begin('one\ntwo')
  const take = (number: number, line: string, run = 'a') => feed.take({ run, number, line })
  expect(take(1, 'one')).toBe('nothing')
  expect(take(2, 'two\u202e')).toBe('nothing')
  expect(take(3, 'three')).toBe('append')
  expect(take(3, 'three')).toBe('nothing')
  expect(take(5, 'five')).toBe('again')
  feed.begin('one\ntwo\nthree\nfour\nfive')
  expect(take(1, 'one', 'b')).toBe('again')
  feed.begin('one')
  expect(take(1, 'one', 'b')).toBe('nothing')
  expect(take(2, 'two', 'b')).toBe('append')
  expect(feed.whole()).toBe('one\ntwo')
})

test('a new run that starts during a read is not appended to the old log', () => {
  const feed = createLogFeed()
  feed.begin('PLAY [all]\nok\nfailed')
  expect(feed.take({ run: 'b', number: 2, line: 'changed' })).toBe('again')
})

test('the log of an earlier run ignores lines of later runs', () => {
  const feed = createLogFeed('a')
  feed.begin('')
  expect(feed.take({ run: 'b', number: 1, line: '' })).toBe('nothing')
  expect(feed.take({ run: 'a', number: 1, line: '' })).toBe('append')
})

test('lines that arrive during a read are queued, and none is lost', () => {
  const feed = createLogFeed()
  feed.begin('one')
  const take = (number: number) => feed.take({ run: 'a', number, line: `line ${number}` })
  expect([3, 4, 5, 6].map(take)).toEqual(['again', 'again', 'again', 'again'])
  expect(feed.begin('one\nline 2\nline 3\nline 4')).toBe('nothing')
  expect(feed.whole()).toBe('one\nline 2\nline 3\nline 4\nline 5\nline 6')
  expect(take(7)).toBe('append')
})

test('a longer log keeps the scroll position', () => {
  const { root, paper } = sheet()
  paper.show('one\ntwo')
  drawFrame()
  const [piece] = root.children
  paper.append('three')
  paper.show('one\ntwo\nthree\nfour')
  drawFrame()
  expect(root.children[0]).toBe(piece)
  expect(root.textContent).toBe('one\ntwo\nthree\nfour')
  paper.show('another run')
  drawFrame()
  expect(root.textContent).toBe('another run')
})

test('an older reply does not remove streamed lines', () => {
  const feed = createLogFeed()
  feed.begin('one')
  feed.take({ run: 'a', number: 2, line: 'two' })
  expect(feed.begin('one')).toBe('nothing')
  expect(feed.take({ run: 'a', number: 3, line: 'three' })).toBe('append')
  expect(feed.whole()).toBe('one\ntwo\nthree')
})
