import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getServer, getServerLog } from '@kelid/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processesOf } from '../../../test/faults/process-tree.ts'
import { openWorkshop, playIn, standIn, withoutAnsible, workshopForAllTests } from './ansible.fixture.ts'
import { confinementOf } from './confinement.ts'
import { provisioningDir } from './playbook.ts'
import { createRunFolder } from './run-folder.ts'
import type { WayIn } from './way-in.ts'

const suite = withoutAnsible || process.platform !== 'linux' ? describe.skip : describe
const isRoot = process.platform === 'linux' && process.getuid?.() === 0

suite(`what a run of the real Ansible can reach on this machine${withoutAnsible}`, () => {
  const shop = workshopForAllTests()
  let data: string
  beforeAll(() => {
    data = shop.product.ctx.config.KELID_DATA_DIR
  })

  const way: WayIn = { by: 'key', user: 'root', key: 'canary of the key\n', sudo: null, pinned: null }

  /** What this shell script prints on the side of the control plane, in a run that is confined or not. */
  async function printed(isConfined: boolean, script: string[], files: string[] = []): Promise<string> {
    const folder = await createRunFolder({ ipv4: '192.0.2.1', sshPort: 22 }, way, {})
    const file = join(shop.folder, 'script')
    writeFileSync(file, script.join('\n'))
    const playbook = shop.playbook(`debug:\n  msg: "{{ lookup('pipe', 'sh ${file} 2>&1; true') }}"`)
    const confinement = isConfined ? confinementOf(data, files) : null
    const { code, unconfined, output } = await playIn(folder, playbook, confinement)
    expect({ code, unconfined }, output).toEqual({ code: 0, unconfined: '' })
    expect(existsSync(folder)).toBe(false)
    return output
  }

  test("a confined run reads neither the data folder nor another run nor the product's environment; an unconfined one reads all three", async () => {
    writeFileSync(join(data, 'secret.key'), 'canary of the data\n')
    const other = await createRunFolder({ ipv4: '192.0.2.2', sshPort: 22 }, way, {})
    const env = { KELID_SECRET_KEY: 'canary of the environment' }
    const product = spawn('/bin/sleep', ['600'], { env, stdio: 'ignore' })
    const script = [
      '{',
      `cat ${data}/secret.key; cat ${other}/key`,
      'cat /proc/[0-9]*/environ',
      `cat /proc/[0-9]*/root${data}/secret.key /proc/[0-9]*/root${other}/key`,
      `unshare -Um sh -c 'umount -l /tmp; cat ${data}/secret.key ${other}/key'`,
      `kill -0 ${product.pid} && echo canary of the process`,
      // A log has no long lines.
      "} 2>/dev/null | grep -ao 'canary of the [a-z]*' | sort -u",
    ]
    try {
      const canaries = (text: string) => [...new Set(text.match(/canary of the [a-z]+/g))].sort()
      const all = ['data', 'environment', 'key', 'process'].map((name) => `canary of the ${name}`)
      expect(canaries(await printed(false, script))).toEqual(all)
      expect(canaries(await printed(true, script))).toEqual([])
    } finally {
      product.kill()
      rmSync(other, { recursive: true })
    }
  })

  test('a confined run is ended with all its programs, and its folder is removed', async () => {
    const mark = `${3_000 + Math.floor(Math.random() * 1e6)}.375`
    const folder = await createRunFolder({ ipv4: '192.0.2.1', sshPort: 22 }, way, {})
    const command = `setsid sleep ${mark} & sleep ${mark}`
    const playbook = shop.playbook(`debug:\n  msg: "{{ lookup('pipe', '${command}') }}"`)
    const stop = new AbortController()
    const look = async () => {
      if (processesOf(mark).length >= 2) stop.abort()
      return null
    }
    const { ended } = await playIn(folder, playbook, confinementOf(data, []), { signal: stop.signal, look })
    expect(ended).toBe('stopping')
    expect(processesOf(mark)).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })

  test('a confined run reads the files for hosts, its own folder and the playbooks, and changes only its own folder', async () => {
    const folder = join(data, 'agent')
    const file = join(folder, 'node')
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, 'canary of the file')
    chmodSync(data, 0o700)
    const output = await printed(
      true,
      [
        `cat ${file}`,
        'id -un; touch mine; ls mine',
        `head -n 1 ${provisioningDir}/site.yml; touch ${provisioningDir}/theirs ${file} /etc/theirs /usr/theirs`,
      ],
      [file],
    )
    expect(output).toContain('canary of the file')
    expect(output).toContain('mine')
    expect(output).toContain(readFileSync(join(provisioningDir, 'site.yml'), 'utf8').split('\n')[0])
    expect(output.match(/Read-only file system/g)).toHaveLength(4)
    if (process.getuid?.() === 0) expect(output).toContain('kelid-run')
  })

  /** The state of a host after a run with this playbook, and the run's log. */
  async function runOn(playbook: string) {
    const { serverUUID, run } = await shop.server({ serverIPV4: '192.0.2.1' })
    await shop.run(run, { playbook })
    const { serverState } = await shop.product.admin.ask(getServer, { serverUUID })
    const { ansibleLog } = await shop.product.admin.ask(getServerLog, { serverUUID })
    return { serverState, ansibleLog }
  }

  test.runIf(isRoot)(
    'a run fails if confinement fails for a reason other than the system, and its log says why',
    async () => {
      const closed = join(shop.folder, 'closed')
      mkdirSync(closed, { mode: 0o700 })
      // For the user of the run a folder that only root may read is copied, and a named pipe cannot be.
      execFileSync('mkfifo', [join(closed, 'pipe')])
      copyFileSync(shop.playbook('debug:\n  msg: hello'), join(closed, 'play.yml'))
      const { serverState, ansibleLog } = await runOn(join(closed, 'play.yml'))
      expect(serverState).toBe('failed')
      expect(ansibleLog).toMatch(/not confined: .*is a named pipe/)
      expect(ansibleLog).toMatch(/Ansible could not be confined.*nothing was changed on the host/)
      expect(ansibleLog).not.toContain('PLAY')
    },
  )
})

const onlyRoot = isRoot ? '' : ' (left out: only root can start a program as another user)'
;(isRoot ? describe : describe.skip)(`where the product is not root${onlyRoot}`, () => {
  const nobody = 65534
  const own = mkdtempSync(join(tmpdir(), 'kelid-confined-'))
  const [data, folder] = [join(own, 'data'), join(own, 'run')]
  const confine = ['/usr/bin/python3', '-I', '-S', join(provisioningDir, 'confine.py')]
  const plan = JSON.stringify({ folder, covers: [data, tmpdir()], keeps: [provisioningDir] })
  let product: ChildProcess
  beforeAll(() => {
    for (const path of [data, folder]) mkdirSync(path, { mode: 0o700 })
    writeFileSync(join(data, 'secret.key'), 'canary of the data\n')
    for (const path of [own, data, folder, join(data, 'secret.key')]) chownSync(path, nobody, nobody)
    const env = { KELID_SECRET_KEY: 'canary of the environment' }
    product = spawn('/bin/sleep', ['600'], { env, stdio: 'ignore', uid: nobody, gid: nobody })
  })
  afterAll(() => {
    product?.kill()
    rmSync(own, { recursive: true })
  })

  /** What a shell script says, and the events of its confinement. */
  function runs(script: string, ...before: string[]): { said: string; events: string } {
    const [program = '', ...args] = [...before, '/bin/sh', '-c', script]
    const { output } = spawnSync(program, args, {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
    return { said: output[1] ?? '', events: output[3] ?? '' }
  }

  test('a user namespace keeps the data and the processes of the same user from the run', () => {
    const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
    const attempts = `id -u; cat ${data}/secret.key; cat /proc/[0-9]*/environ | grep -ao 'canary of the environment'; kill -0 ${product.pid} && echo alive; touch ${folder}/mine && ls ${folder}; exit 0`
    expect(runs(attempts, ...asNobody).said).toBe(
      `${nobody}\ncanary of the data\ncanary of the environment\nalive\nmine\n`,
    )
    const confined = runs(attempts, ...asNobody, ...confine, plan)
    expect(confined).toEqual({ said: `${nobody}\nmine\n`, events: '' })
  })

  const inUserNamespace = ['unshare', '--user', '--map-root-user']
  const noMountNamespaces = 'echo 0 >/proc/sys/user/max_mnt_namespaces; exec "$@"'

  test.each([
    ['mounts', ['setpriv', '--bounding-set=-sys_admin'], 'namespaces: unshare: Operation not permitted'],
    [
      'more namespaces',
      [...inUserNamespace, 'sh', '-c', noMountNamespaces, 'sh'],
      'namespaces: unshare: No space left on device',
    ],
    ['other users', inUserNamespace, 'a user ID of its own: Invalid argument'],
  ])('where the system allows no %s, the command runs and an event says why', (_, before, reason) => {
    const rootsFolder = mkdtempSync(join(tmpdir(), 'kelid-unconfined-'))
    const rootsPlan = JSON.stringify({ folder: rootsFolder, covers: [data], keeps: [provisioningDir] })
    const { said, events } = runs('echo here', ...before, ...confine, rootsPlan)
    rmSync(rootsFolder, { recursive: true })
    expect(said).toBe('here\n')
    expect(JSON.parse(events)).toEqual({ event: 'unconfined', reason })
  })
})

test('a run continues unconfined if the system cannot confine it; both logs say so', async () => {
  const shop = await openWorkshop()
  const reason = 'unshare: Operation not permitted'
  // The event of confine.py, which the test above gets from the real one.
  const ansible = await standIn(shop.folder, { event: 'unconfined', reason })
  try {
    const { serverUUID, run } = await shop.server({ serverIPV4: '192.0.2.7' })
    await shop.run(run, {})
    const { admin, logs } = shop.product
    expect((await admin.ask(getServer, { serverUUID })).serverState).toBe('ready')
    const { ansibleLog } = await admin.ask(getServerLog, { serverUUID })
    expect(ansibleLog).toMatch(/Ansible ran unconfined .*\(unshare: Operation not permitted\)/)
    const lines = logs.map((line) => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({ run, reason, msg: expect.stringContaining('Ansible ran unconfined') }),
    )
  } finally {
    ansible.close()
    await shop.close()
  }
})
