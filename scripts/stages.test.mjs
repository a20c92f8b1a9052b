import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runStages } from './stages.mjs'

let folder
let printed
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kelid-stages-'))
  printed = ''
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

/** A step that runs this code, which has the modules `fs` and `os`. */
const step = (title, code, more = {}) => ({
  ...{ title, ...more },
  command: [process.execPath, '-e', `const fs = require('node:fs'); const os = require('node:os'); ${code}`],
})
const write = (name, text = "''") => `fs.writeFileSync('${name}', String(${text}));`
const waitFor = (name) =>
  `while (!fs.existsSync('${name}')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);`
const has = (name) => existsSync(join(folder, name))

async function run(...stages) {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const out = { write: (text) => (printed += text) }
  const code = await runStages(stages, { cwd: folder, env: process.env, out })
  return { code, errors: errors.mock.calls.flat().join('') }
}

test('lanes run side by side, and the one beside is shown after the step in front of it', async () => {
  const beside = step(
    'beside',
    `console.log('its words'); console.error('its warning'); ${waitFor('front')}${write('done')}`,
  )
  const front = step('front', `${write('front')}${waitFor('done')}`)
  expect(await run([{ steps: [beside], isBeside: true }, { steps: [front] }])).toEqual({
    code: 0,
    errors: '',
  })
  expect(printed.replaceAll(/\d+[.]\d/g, 'N')).toBe(
    [
      '\n== beside what follows: beside',
      '\n== front\n== front: N minutes',
      '\n== beside\nits words\nits warning\n== beside: N minutes',
      '\n== all: N minutes\n',
    ].join('\n'),
  )
})

test('a lane beside another has a lower priority, and one of its own stage has not', async () => {
  const note = (name) => step(name, write(name, 'os.getPriority()'))
  const lane = { steps: [note('beside')], isBeside: true }
  await run([lane, { steps: [note('front')] }], [{ ...lane, steps: [note('alone')] }])
  const [beside, front, alone] = ['beside', 'front', 'alone'].map((name) =>
    Number(readFileSync(join(folder, name), 'utf8')),
  )
  expect(beside).toBe(Math.min(front + 5, 19))
  expect(alone).toBe(front)
})

test.each([
  ['beside', true],
  ['in front', false],
])('a step %s that fails ends the others, is named, and nothing is started after it', async (_, isBeside) => {
  const failing = step('the failing one', `console.log('why'); ${waitFor('started')} process.exit(3)`)
  const endless = step('endless', `${write('started')}${waitFor('never')}`)
  const { code, errors } = await run(
    [
      { steps: [failing, step('next', write('next'))], isBeside },
      { steps: [endless, step('after', write('after'))], isBeside: !isBeside },
    ],
    [{ steps: [step('later', write('later'))] }],
  )
  expect([code, errors]).toEqual([1, '\nFailed: the failing one'])
  if (isBeside) expect(printed).toContain('\n== the failing one\nwhy\n')
  expect(['next', 'after', 'later'].filter(has)).toEqual([])
})

test('what a step needs before it and around it is there, and its failure counts', async () => {
  const before = () => writeFileSync(join(folder, 'prepared'), '')
  const within = (work) => work('postgres://here')
  const prepared = step(
    'prepared',
    `if (process.env.DATABASE_URL !== 'postgres://here') process.exit(1); fs.readFileSync('prepared')`,
    {
      ...{ before, within },
    },
  )
  expect((await run([{ steps: [prepared] }])).code).toBe(0)
  const unable = () => {
    throw new Error('no database')
  }
  expect(await run([{ steps: [{ ...prepared, within: unable }] }])).toEqual({
    code: 1,
    errors: '\nno database',
  })
})
