import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testClock } from '../../../test/clock.ts'
import { openProduct, type Product } from '../../../test/product.ts'
import { freePort } from '../../../test/real/ports.ts'
import { issueServerCertificate } from '../authority/authority.ts'
import type { Target } from './finding.ts'
import { hysteriaProbe, read } from './probe-hysteria.ts'
import { trusting } from './probe-tls.ts'

const failed =
  'failed to process outbound traffic > proxy/hysteria: failed to find an available destination > '

test.each([
  [`${failed}transport/internet/hysteria: auth failed`, { outcome: 'ANSWERED', detail: '' }],
  [
    `${failed}transport/internet/hysteria: RoundTrip err > timeout: no recent network activity`,
    { outcome: 'TIMEOUT', detail: '' },
  ],
  [
    `${failed}transport/internet/hysteria: RoundTrip err > CRYPTO_ERROR 0x12a (local): tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    { outcome: 'CERTIFICATE', detail: expect.stringContaining('unknown authority') },
  ],
  [
    '[Info] [1] proxy/hysteria: tunneling request to unix:probe.invalid via UNIX:192.0.2.1:443',
    { outcome: 'OPEN', detail: '' },
  ],
  ['[Warning] core: Xray 26.3.27 started', undefined],
])('the log of the core is read: %s', (line, finding) => {
  expect(read(line)).toEqual(finding)
})

const programs = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kelid/programs')
const [core] = (await readdir(programs).catch(() => []))
  .filter((name) => name.startsWith('xray-'))
  .map((name) => join(programs, name))
const reason = core ? '' : ' (left out: no core has been built on this machine)'

const probe = (program: string | undefined, target: Target) =>
  hysteriaProbe.run(target, { core: program ?? null, trusted: trusting([]) })

/** The real program at both ends, on this machine. */
describe.skipIf(!core)(`with a real hysteria server${reason}`, () => {
  const name = 'fra1.example.com'
  let product: Product
  let folder: string
  const servers: ChildProcess[] = []
  beforeAll(async () => {
    product = await openProduct({ clock: testClock(new Date()) })
    folder = await mkdtemp(join(tmpdir(), 'kelid-core-'))
  })
  afterAll(async () => {
    for (const server of servers) server.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
    await product.close()
  })

  async function serve() {
    const port = await freePort()
    const { chain, key, ca } = await issueServerCertificate(product.ctx, name)
    const [certificateFile, keyFile] = [join(folder, 'chain.pem'), join(folder, 'key.pem')]
    await writeFile(certificateFile, chain)
    await writeFile(keyFile, key)
    const config = {
      inbounds: [
        {
          listen: '127.0.0.1',
          port,
          protocol: 'hysteria',
          settings: { version: 2, clients: [] },
          streamSettings: {
            network: 'hysteria',
            security: 'tls',
            tlsSettings: { alpn: ['h3'], certificates: [{ certificateFile, keyFile }] },
            hysteriaSettings: { version: 2 },
          },
        },
      ],
      outbounds: [{ protocol: 'blackhole' }],
    }
    const server = spawn(core ?? '', ['run', '-c', 'stdin:'], { stdio: ['pipe', 'pipe', 'inherit'] })
    servers.push(server)
    server.stdin.end(JSON.stringify(config))
    for await (const line of createInterface({ input: server.stdout })) if (/started/.test(line)) break
    return { port, ca, server }
  }

  test('its refusal of a made-up secret is the answer; without it there is none', async () => {
    const { port, ca, server } = await serve()
    const target = { address: '127.0.0.1', port, name, authorities: [ca] }
    expect(await probe(core, target)).toEqual({ outcome: 'ANSWERED', detail: '' })
    expect(await probe(core, { ...target, authorities: [] })).toMatchObject({ outcome: 'CERTIFICATE' })
    expect(await probe(core, { ...target, name: 'other.example.com' })).toMatchObject({
      outcome: 'CERTIFICATE',
    })
    server.kill('SIGKILL')
    await once(server, 'exit')
    expect(await probe(core, target)).toEqual({ outcome: 'TIMEOUT', detail: '' })
  })

  test('a program that is no core is no verdict on the server', async () => {
    const target = { address: '127.0.0.1', port: 1, name, authorities: [] }
    expect((await probe('/bin/false', target)).outcome).toBe('NO_CORE')
    expect((await probe(join(folder, 'missing'), target)).outcome).toBe('NO_CORE')
  })
})
