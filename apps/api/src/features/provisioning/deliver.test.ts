import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { cancelHostRun, getServerLog, provisionServer } from '@kelid/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runOf } from '../../../test/product.ts'
import { until } from '../../../test/until.ts'
import { workshopForAllTests } from './ansible.fixture.ts'
import { publicSshKey } from './provisioning.ts'
import { createSshd, type Sshd, withoutSshd } from './sshd.fixture.ts'

const address = '127.84.22.9'
const reason = await withoutSshd(address)
const suite = reason ? describe.skip : describe

const piece = 2_000_000
const offsets = [0, 1, 2, 3, 4].map((number) => number * piece)

suite(`programs that are delivered over a bad line${reason}`, () => {
  const shop = workshopForAllTests({ env: { KELID_ALLOW_LOCAL_HOST: 'no' } })
  let sshd: Sshd
  let line: string

  /** A host whose sessions end or stop in the middle of a piece, and that can answer something else. */
  const host = () => `#!/bin/sh
offset=$(echo "$SSH_ORIGINAL_COMMAND" | sed -n 's/.* take [^ ]* \\([0-9]*\\) .*/\\1/p')
if [ -n "$offset" ]; then
  echo $offset >> ${line}/offsets
  if [ "$offset" = "$(cat ${line}/stops-at 2>/dev/null)" ]; then
    touch ${line}/stopped
    exec tail -f /dev/null --pid=$PPID
  fi
  if [ "$offset" = ${2 * piece} ] && breaks=$(ls ${line}/breaks 2>/dev/null | grep -m 1 .); then
    rm ${line}/breaks/$breaks
    head -c 300000 > /dev/null
    kill -KILL $PPID
  fi
fi
case "$SSH_ORIGINAL_COMMAND" in
*" -I -c "*) [ -e ${line}/lie ] && { cat > /dev/null; cat ${line}/lie; exit 0; } ;;
esac
exec sh -c "$SSH_ORIGINAL_COMMAND"
`

  beforeAll(async () => {
    line = join(shop.folder, 'line')
    mkdirSync(join(line, 'breaks'), { recursive: true })
    writeFileSync(join(line, 'host'), host(), { mode: 0o755 })
    sshd = createSshd(join(shop.folder, 'sshd'), address, `ForceCommand ${join(line, 'host')}`)
    writeFileSync(sshd.authorized, `${await publicSshKey(shop.product.ctx)}\n`)
    await sshd.start()
  })
  afterAll(() => sshd?.stop())

  /** Five pieces that compress to half their size, and the playbook that delivers them. */
  function newProgram() {
    const folder = mkdtempSync(join(shop.folder, 'program-'))
    // A confined run is another user.
    chmodSync(folder, 0o755)
    const file = join(folder, 'program')
    writeFileSync(file, randomBytes(4_500_000).toString('hex'))
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
    mkdirSync(join(folder, 'host'))
    const path = join(folder, 'host', `core-${sha256.slice(0, 16)}`)
    const playbook = shop.playbook(
      `deliver:\n  name: core\n  file: ${file}\n  sha256: ${sha256}\n  path: ${path}`,
    )
    return { file, path, draft: `${path}.draft`, playbook, folder }
  }

  const lying = (answer: string) => writeFileSync(join(line, 'lie'), answer)
  const newServer = () => shop.server({ serverIPV4: address })
  const stateOf = async (uuid: string) => (await runOf(shop.product, uuid)).state
  const logOf = async (serverUUID: string) =>
    (await shop.product.admin.ask(getServerLog, { serverUUID })).ansibleLog
  const again = async (serverUUID: string, playbook: string) => {
    shop.product.clock.advance(1_000)
    await shop.product.admin.ask(provisionServer, { serverUUID })
    await shop.run((await runOf(shop.product, serverUUID)).uuid, { playbook })
  }
  const arrived = ({ file, path }: { file: string; path: string }) =>
    readFileSync(path).equals(readFileSync(file)) && (statSync(path).mode & 0o777) === 0o755

  /** What was sent since the last look. */
  function sentPieces(): number[] {
    const text = existsSync(join(line, 'offsets')) ? readFileSync(join(line, 'offsets'), 'utf8') : ''
    rmSync(join(line, 'offsets'), { force: true })
    return text.split('\n').filter(Boolean).map(Number)
  }

  test('a program arrives compressed, the log shows how much, and it is not sent again', async () => {
    const program = newProgram()
    const { serverUUID, run } = await newServer()
    await shop.run(run, { playbook: program.playbook })
    expect(await stateOf(serverUUID)).toBe('succeeded')
    expect(arrived(program)).toBe(true)
    expect(readdirSync(join(program.folder, 'host'))).toHaveLength(1)
    expect(sentPieces()).toEqual(offsets)
    const log = await logOf(serverUUID)
    expect(log).toMatch(/core: 4 of 9 MB, 2\.\d MB sent compressed\n/)
    expect(log).toMatch(/core: 9 of 9 MB, 5\.\d MB sent compressed\n/)
    await again(serverUUID, program.playbook)
    expect(await logOf(serverUUID)).toContain('changed=0')
    expect(sentPieces()).toEqual([])
  })

  test('a line that breaks in the middle of a piece goes on with that piece, in the same run', async () => {
    const program = newProgram()
    const { serverUUID, run } = await newServer()
    for (const number of [1, 2, 3]) writeFileSync(join(line, 'breaks', String(number)), '')
    await shop.run(run, { playbook: program.playbook })
    expect(await stateOf(serverUUID)).toBe('succeeded')
    expect(arrived(program)).toBe(true)
    expect(sentPieces()).toEqual([...offsets.slice(0, 2), ...Array(4).fill(2 * piece), ...offsets.slice(3)])
    expect(await logOf(serverUUID)).toContain('core: the connection broke; it is tried again in 5 seconds')
  })

  test('a run after a cancelled one sends what is missing, and a damaged piece once more', async () => {
    const program = newProgram()
    const { serverUUID, run } = await newServer()
    writeFileSync(join(line, 'stops-at'), String(3 * piece))
    const under = shop.run(run, { playbook: program.playbook })
    await until(() => existsSync(join(line, 'stopped')), 'the line to stop')
    await shop.product.admin.ask(cancelHostRun, { hostUUID: serverUUID })
    await under
    expect(await stateOf(serverUUID)).toBe('cancelled')
    expect(existsSync(program.path)).toBe(false)
    expect(sentPieces()).toEqual(offsets.slice(0, 4))
    rmSync(join(line, 'stops-at'))
    writeSync(openSync(program.draft, 'r+'), 'damage', piece + 7)
    await again(serverUUID, program.playbook)
    expect(await stateOf(serverUUID)).toBe('succeeded')
    expect(sentPieces()).toEqual([1, 3, 4].map((number) => number * piece))
    expect(arrived(program)).toBe(true)
  })

  test('a damaged file in the store is refused before anything is sent, and a full host by its free space', async () => {
    const program = newProgram()
    const { serverUUID, run } = await newServer()
    appendFileSync(program.file, 'damage')
    await shop.run(run, { playbook: program.playbook })
    expect(await stateOf(serverUUID)).toBe('failed')
    expect(await logOf(serverUUID)).toContain('KELID:CORE_DAMAGED')
    expect(sentPieces()).toEqual([])

    lying('{"there": false, "pieces": [], "room": 20999999}')
    await again(serverUUID, newProgram().playbook)
    rmSync(join(line, 'lie'))
    expect(await logOf(serverUUID)).toContain('KELID:DISK_FULL 20 MB are free and 29 are needed')
    expect(await logOf(serverUUID)).toContain('The disk of the host is full')
    expect(sentPieces()).toEqual([])
  })

  test.each([
    ['odd types', `{"there": "yes", "pieces": {"0": "../../../x"}, "room": "TEMPLATE"}`],
    ['templates', `{"there": {"changed": true}, "pieces": ["TEMPLATE", 7, null], "room": true}`],
    ['endless depth', '['.repeat(200_000)],
    ['megabytes', 'x'.repeat(5_000_000)],
  ])('a host that answers the question for its pieces with %s is sent all of them', async (_, answer) => {
    const program = newProgram()
    const { serverUUID, run } = await newServer()
    lying(answer.replaceAll('TEMPLATE', `{{ lookup('pipe', 'touch ${program.folder}/fired') }}`))
    await shop.run(run, { playbook: program.playbook })
    rmSync(join(line, 'lie'))
    expect(sentPieces()).toEqual(offsets)
    expect(readdirSync(program.folder).sort()).toEqual(['host', 'program'])
    expect(readdirSync(join(program.folder, 'host'))).toEqual([])
    expect(await stateOf(serverUUID)).toBe('succeeded')
  })
})
