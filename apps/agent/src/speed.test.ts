import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { account, temporaryFolder } from './agent.fixture.ts'
import { createSpeeds, keepSpeedFile } from './speed.ts'

const folder = temporaryFolder()
const [one, two, three] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
]
const firstMark = 65_536
const limit = (id: string, speedLimit?: number) => account(id, { speedLimit })

/** A core and a table of the kernel. */
function host() {
  const state = {
    tags: ['block', 'direct'],
    speeds: {} as Record<string, number>,
    said: [] as string[],
    files: [] as string[][],
    ...{ marked: 0 as number | null, now: 0, fails: false },
  }
  const open = () =>
    createSpeeds({
      core: {
        outboundTags: async () => state.tags,
        addMarkedOutbound: async (tag, mark) => {
          if (state.fails) throw new Error('away')
          expect(tag).toContain(`speed-${mark - firstMark}-`)
          state.tags.push(tag)
        },
        removeOutbound: async (tag) => void state.tags.splice(state.tags.indexOf(tag), 1),
      },
      table: {
        set: async (speeds) => {
          state.speeds = Object.fromEntries(speeds)
        },
        marked: async () => state.marked,
      },
      firstMark,
      writeFile: async (numbers) => state.files.push([...numbers.keys()]),
      say: (line) => state.said.push(line),
      now: () => state.now,
    })
  return { state, open }
}
const own = (tags: string[]) => tags.filter((tag) => tag.startsWith('speed'))

test('only limited accounts have an outbound, and a changed limit changes only the kernel', async () => {
  const { state, open } = host()
  const speeds = open()
  await speeds.prepare([limit(one, 5), limit(two), limit(three, 10)])
  await speeds.settle()
  expect(own(state.tags)).toEqual([`speed-1-${one}`, `speed-2-${three}`])
  expect(state.speeds).toEqual({ 65537: 5, 65538: 10 })
  expect([...speeds.outbounds()]).toEqual([
    [one, `speed-1-${one}`],
    [three, `speed-2-${three}`],
  ])
  await speeds.prepare([limit(one, 50), limit(two), limit(three, 10)])
  expect([own(state.tags).length, state.speeds]).toEqual([2, { 65537: 50, 65538: 10 }])
})

test('an outbound goes after its rule, and its number is not the next one to be given out', async () => {
  const { state, open } = host()
  const speeds = open()
  await speeds.prepare([limit(one, 5)])
  await speeds.settle()
  await speeds.prepare([limit(one), limit(two, 5)])
  expect([...speeds.outbounds().keys()]).toEqual([two])
  expect(own(state.tags)).toEqual([`speed-1-${one}`, `speed-2-${two}`])
  await speeds.settle()
  expect(own(state.tags)).toEqual([`speed-2-${two}`])
  await speeds.prepare([])
  await speeds.settle()
  expect([own(state.tags), state.speeds, state.files]).toEqual([[], {}, [[one], [two], []]])
})

test('numbers outlast the agent and the core', async () => {
  const { state, open } = host()
  const before = open()
  await before.prepare([limit(one, 5), limit(two, 6)])
  await before.prepare([limit(two, 6)])
  await before.settle()
  const speeds = open()
  await speeds.prepare([limit(two, 6), limit(three, 7)])
  expect(own(state.tags)).toEqual([`speed-2-${two}`, `speed-3-${three}`])
  state.tags = ['block', `speed-2-${two}`]
  speeds.forget()
  await speeds.prepare([limit(two, 6), limit(three, 7)])
  expect([own(state.tags), state.speeds]).toEqual([
    [`speed-2-${two}`, `speed-3-${three}`],
    { 65538: 6, 65539: 7 },
  ])
})

test('an account whose outbound cannot be added is not taken for limited, and the others are', async () => {
  const { state, open } = host()
  const speeds = open()
  await speeds.prepare([limit(one, 5)])
  state.fails = true
  await expect(speeds.prepare([limit(one, 6), limit(two, 6)])).rejects.toThrow('away')
  expect([[...speeds.outbounds().keys()], state.speeds]).toEqual([[one], { 65537: 6 }])
})

test.each([
  ['lacks the right to set marks', 0, 1],
  ['sets them', 1, 0],
])(
  'of a core that %s while limited accounts move bytes, %j packets are marked',
  async (_, step, complaints) => {
    const { state, open } = host()
    const speeds = open()
    const usage = (down: number) => ({ boot: 'a', upSince: '', usage: new Map([[one, { up: 0, down }]]) })
    for (let minute = 0; minute < 3; minute += 1) {
      for (let pass = 0; pass < 10; pass += 1) await speeds.prepare([limit(one, 5)])
      speeds.note(usage(minute * 2 ** 21))
      state.now += 61_000
      state.marked = (state.marked ?? 0) + step
    }
    await speeds.prepare([limit(one, 5)])
    expect(new Set(state.said).size).toBe(complaints)
  },
)

test('a core that restarts reads the outbounds and the rules, before that of everybody', async () => {
  const [file, routingFile] = [join(folder, 'speed-tail.json'), join(folder, 'routing.json')]
  const keep = keepSpeedFile(file, routingFile, firstMark)
  await keep(new Map([[one, 7]]))
  expect(() => readFileSync(file)).toThrow('ENOENT')
  const rules = [{ ruleTag: 'private' }, { ruleTag: 'customers' }]
  writeFileSync(routingFile, JSON.stringify({ domainStrategy: 'IPOnDemand', rules }))
  await keep(new Map([[one, 7]]))
  const { outbounds, routing } = JSON.parse(readFileSync(file, 'utf8'))
  expect(outbounds).toEqual([
    { tag: `speed-7-${one}`, protocol: 'freedom', streamSettings: { sockopt: { mark: 65_543 } } },
  ])
  expect(routing.domainStrategy).toBe('IPOnDemand')
  expect(routing.rules.map((rule: { ruleTag: string }) => rule.ruleTag.replace(/-.*/, ''))).toEqual([
    'private',
    'own',
    'customers',
  ])
  expect(routing.rules[1]).toMatchObject({ user: [one], outboundTag: `speed-7-${one}` })
  await keep(new Map())
  expect(() => readFileSync(file)).toThrow('ENOENT')
})
