import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addServer, provisionServer } from '@kelid/contract'
import type { Figure } from './figures.ts'
import { fill } from './fill.ts'
import { interleaved, middle, middleRatio, type Pace } from './load.ts'
import { ask, program, startProduct } from './product-process.ts'
import { whoAmI } from './targets.ts'

/** Replaces Ansible and writes 100 MB within some seconds. It is confined, so it reports over loopback. */
const loud = (port: number) => `#!/usr/bin/env python3
import os, socket, time
def report(mark):
    with socket.create_connection(("127.0.0.1", ${port})) as connection:
        connection.sendall(mark)
report(b"begun")
for _ in range(1600):
    rest = b"0123456789 0123456789 0123456789\\n" * 2000
    while rest:
        rest = rest[os.write(1, rest):]
    time.sleep(0.0015)
report(b"ended")
`

const patience = 120_000

type Mark = 'begun' | 'ended'

/** Receives the marks of the runs in order. */
async function listenForMarks() {
  const marks: Mark[] = []
  const server = createServer((socket) => socket.on('data', (mark) => marks.push(String(mark) as Mark)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    has: (mark: Mark) => marks.includes(mark),
    async next(mark: Mark): Promise<void> {
      const from = performance.now()
      while (marks[0] !== mark) {
        if (performance.now() - from > patience) throw new Error(`the run has not ${mark}`)
        await sleep(5)
      }
      marks.shift()
    },
    close: () => server.close(),
  }
}

const server = (serverUUID: string) => ({
  serverUUID,
  serverName: 'loud',
  serverType: 'xray',
  serverVersion: '1.0',
  serverVPNType: 'trojan',
  serverVPNVersion: '1.0',
  serverIPV4: '192.0.2.77',
  serverURL: 'loud.example.com',
  serverPort: 443,
  serverMaxAccounts: 0,
  serverTunnelActive: true,
  serverTunnelType: 'ssh',
  countryId: 276,
})

/** How long callers wait while a run writes 100 MB, relative to no run. */
export async function loudRun(folder: string, pace: Pace): Promise<Figure[]> {
  const marks = await listenForMarks()
  const programs = join(folder, 'bin')
  await mkdir(programs, { recursive: true })
  await chmod(folder, 0o711)
  await writeFile(join(programs, 'ansible-playbook'), loud(marks.port), { mode: 0o755 })
  await writeFile(join(programs, 'xray'), '#!/bin/sh\necho Xray 26.3.27\n', { mode: 0o755 })
  const dataDir = join(folder, 'data')
  const coreDir = { KELID_DATA_DIR: dataDir, KELID_CORE_DIR: join(folder, 'core') }
  execFileSync(process.execPath, [program, 'cli', 'core', 'add', join(programs, 'xray')], {
    env: { PATH: process.env.PATH, ...coreDir },
  })
  const product = await startProduct(dataDir, {
    PATH: programs + delimiter + process.env.PATH,
    ...coreDir,
    KELID_AGENT_URL: 'https://nodes.example.com:8443',
    KELID_ALLOW_RESERVED_TARGETS: 'yes',
  })
  const people = await fill(dataDir, { users: 100, accounts: 100 })
  const serverUUID = randomUUID()
  await ask(product, addServer, people.admin, server(serverUUID))
  // The first run also prepares the files for hosts.
  await marks.next('begun')
  await marks.next('ended')
  const target = whoAmI(product, people)
  const meanwhile = async () => {
    await ask(product, provisionServer, people.admin, { serverUUID })
    await marks.next('begun')
    return () => {
      if (marks.has('ended')) throw new Error('the run ended before its callers did')
      return marks.next('ended')
    }
  }
  const [quiet = [], under = []] = await interleaved([target, { ...target, meanwhile }], pace)
  await product.stop()
  marks.close()
  const detail = `p99 ${middle(under, 'p99').toFixed(1)} ms beside ${middle(quiet, 'p99').toFixed(1)} ms, ${middle(under, 'perSecond').toFixed(0)}/s beside ${middle(quiet, 'perSecond').toFixed(0)}/s`
  return [
    {
      name: 'getuser while a run writes 100 MB: p99 beside without',
      value: middleRatio(under, quiet, 'p99'),
      unit: 'x',
      atMost: 1.2,
      detail,
    },
    {
      name: 'getuser while a run writes 100 MB: answers a second beside without',
      value: middleRatio(under, quiet, 'perSecond'),
      unit: 'x',
      atLeast: 0.4,
      detail,
    },
  ]
}
