import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { chmod, copyFile, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer as createHttpsServer } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { day, getHostFigures, getServer, removeHost } from '@kelid/contract'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { runningClock } from '../../../test/clock.ts'
import { folderForAllTests } from '../../../test/hooks.ts'
import { type Identity, nodesForAllTests, openProductWithNodes } from '../../../test/nodes.ts'
import { openProduct } from '../../../test/product.ts'
import { agentFlags } from '../../../test/real/host.ts'
import { until } from '../../../test/until.ts'
import { issueNodeCertificate, issueServerCertificate } from '../authority/authority.ts'
import { keyPem, newKeyPair, signCertificate } from '../authority/certificate.ts'
import { agentFiles, type DigestedFile } from '../provisioning/agent-files.ts'

const product = nodesForAllTests({ clock: runningClock() })
const folder = folderForAllTests()
let files: { runtime: DigestedFile; bundle: DigestedFile }
beforeAll(async () => {
  files = await agentFiles(product.ctx)
  // Away from all packages, as on a host.
  await copyFile(files.bundle.file, join(folder, 'agent.mjs'))
})
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function start(configFile: string) {
  const child = spawn(files.runtime.file, [...agentFlags, join(folder, 'agent.mjs'), configFile], {
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return { child, output: () => output, says: (text: RegExp) => until(() => text.test(output), String(text)) }
}

async function configure(uuid: string, change: object = {}, identity?: Required<Identity>): Promise<string> {
  const { ca, certificate, key } = identity ?? (await issueNodeCertificate(product.ctx, uuid))
  const at = (name: string) => join(folder, `${uuid}.${name}`)
  await writeFile(at('ca'), ca)
  await writeFile(at('certificate'), certificate)
  await writeFile(at('key'), key, { mode: 0o600 })
  const files =
    'ca certificate key core state inbound accounts chain accessLog restart loadFirewall connections'
  const paths = Object.fromEntries(files.split(' ').map((name) => [name, at(name)]))
  const config = { url: product.nodesUrl, kind: 'tunnel', api: '127.0.0.1:1', ...paths, ...change }
  await writeFile(at('json'), JSON.stringify(config))
  return at('json')
}

const reportsOf = (uuid: string) => product.sql('SELECT * FROM node_reports WHERE host_uuid = $1', uuid)
const hostOf = (serverUUID: string) => product.admin.ask(getServer, { serverUUID })

test('a host gets one program and the Node of this machine without its unneeded parts', async () => {
  const [runtime, own, bundle] = await Promise.all(
    [files.runtime.file, process.execPath, files.bundle.file].map((file) => stat(file)),
  )
  expect(runtime?.size).toBeLessThanOrEqual(own?.size ?? 0)
  expect(bundle?.size).toBeLessThan(1_000_000)
  expect(execFileSync('sha256sum', [files.bundle.file], { encoding: 'utf8' })).toContain(files.bundle.sha256)
  expect(await agentFiles(product.ctx)).toEqual(files)
})

test('the first runs of an installation find the files at the same time', async () => {
  const config = { ...product.ctx.config, KELID_DATA_DIR: join(folder, 'new') }
  const all = await Promise.all(Array.from({ length: 5 }, () => agentFiles({ ...product.ctx, config })))
  for (const { bundle } of all) expect(bundle.sha256).toBe(files.bundle.sha256)
})

test('an agent says hello, and its host is up with the versions of agent and core; on a signal the agent ends at once', async () => {
  const uuid = await product.server()
  const config = await configure(uuid)
  await writeFile(
    join(folder, `${uuid}.core`),
    '#!/bin/sh\necho "Xray 26.3.27 (Xray, Penetrates Everything.)"\n',
  )
  await chmod(join(folder, `${uuid}.core`), 0o755)
  const { child, says } = start(config)
  await says(/ answers \(epoch [0-9a-f-]{36}\)\n/)
  expect(await hostOf(uuid)).toMatchObject({ serverHealth: 'up' })
  const [report] = await reportsOf(uuid)
  expect(report).toMatchObject({ agent_version: '0.1.0', core_version: '26.3.27' })
  expect(Math.abs(report.clock_offset_ms)).toBeLessThan(5_000)
  const rss = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  console.log(`agent: ${Math.round(Number(rss) / 1024)} MB resident`)
  expect(Number(rss)).toBeLessThan(80 * 1024)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test("an agent reports issuer and end of the server's certificate, and nothing if it cannot read it", async () => {
  const { ca, chain } = await issueServerCertificate(product.ctx, 'fra1.example.com')
  const [leaf = ''] = chain.split(ca)
  const signed = new X509Certificate(leaf)
  const report = {
    certificate_issuer: signed.issuer.replace('CN=', ''),
    certificate_until: new Date(signed.validTo),
    certificate_authority: new X509Certificate(ca).fingerprint256.replaceAll(':', '').toLowerCase(),
  }
  const none = { certificate_issuer: null, certificate_until: null, certificate_authority: null }
  for (const [text, said] of [
    [chain, report],
    [leaf, { ...report, certificate_authority: '' }],
    ['-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----', none],
    ['', none],
  ] as const) {
    const uuid = await product.server()
    const config = await configure(uuid)
    await writeFile(join(folder, `${uuid}.chain`), text)
    const { says, child } = start(config)
    await says(/ answers /)
    child.kill('SIGKILL')
    expect(await reportsOf(uuid)).toMatchObject([said])
  }
})

test("an agent reports a server's certificate that ends soon, until it was renewed", async () => {
  const uuid = await product.server()
  const config = await configure(uuid, { kind: 'hysteria2-direct' })
  const chain = join(folder, `${uuid}.chain`)
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '/dev/null']
  execFileSync('openssl', ['req', '-x509', ...key, '-days', '13', '-subj', '/CN=a', '-out', chain], {
    stdio: 'ignore',
  })
  const shows = (trouble: boolean) =>
    until(
      async () => {
        const { hostTroubles } = await product.admin.ask(getHostFigures, { hostUUID: uuid })
        return hostTroubles.some((one) => one.trouble === 'certificate') === trouble
      },
      'the trouble',
      50_000,
    )
  start(config)
  await shows(true)
  const renewed = await issueServerCertificate(product.ctx, 'fra1.example.com')
  await writeFile(chain, renewed.chain)
  await shows(false)
})

test('an agent shows its certificate to another CA once for many tries, and never to its own', async () => {
  const elsewhere = await openProduct({ clock: runningClock() })
  const uuid = await elsewhere.server()
  const identity = await issueNodeCertificate(elsewhere.ctx, uuid)
  await elsewhere.close()
  const knocks = () => product.sql('SELECT * FROM knocks')
  const right = await product.server()
  await start(await configure(right)).says(/ answers /)
  expect(await knocks()).toEqual([])

  const { says, output } = start(await configure(uuid, {}, identity))
  await says(/another CA than our own answers/)
  const authority = new X509Certificate(identity.ca).fingerprint256.replaceAll(':', '').toLowerCase()
  await expect.poll(knocks).toEqual([{ authority, host_uuid: uuid, at: expect.any(Date) }])
  const before = await knocks()
  await says(/(no answer[\s\S]*){4}/)
  expect(await knocks()).toEqual(before)
  expect(output().match(/another CA/g)).toHaveLength(1)
  expect(await reportsOf(uuid)).toEqual([])
})

test('a refused agent logs it and tries again with its current certificate', async () => {
  const removed = await product.server()
  const config = await configure(removed)
  await product.admin.ask(removeHost, { hostUUID: removed })
  const { says, output } = start(config)
  await says(/no answer from https:.*\n(?:.*\n)*?no answer from/)
  expect(output()).not.toMatch(/ at .*agent\.mjs/)
  const other = await product.server()
  const { certificate, key } = await issueNodeCertificate(product.ctx, other)
  await writeFile(join(folder, `${removed}.key`), key)
  await writeFile(join(folder, `${removed}.certificate`), certificate)
  await says(/ answers /)
  expect(await hostOf(other)).toMatchObject({ serverHealth: 'up' })
})

test('with a third of its life left, its certificate is renewed over the same channel', async () => {
  const uuid = await product.server()
  product.clock.advance(-70 * day)
  const config = await configure(uuid)
  product.clock.advance(70 * day)
  const { says } = start(config)
  await says(/renewed the certificate\n/)
  const file = join(folder, `${uuid}.state`, 'renewed.json')
  const { certificate } = JSON.parse(await readFile(file, 'utf8')) as { certificate: string }
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(Date.parse(new X509Certificate(certificate).validTo)).toBeGreaterThan(Date.now() + 80 * day)
  // That one alone is good by then.
  await writeFile(join(folder, `${uuid}.key`), (await issueNodeCertificate(product.ctx, uuid)).key)
  const again = start(config)
  await again.says(/ answers \(epoch/)
})

test("an agent rejects a server certificate as the control plane's, although our CA signed it for that name", async () => {
  const [{ certificate: ca, key }] = await product.sql('SELECT * FROM authority')
  const own = newKeyPair()
  const signer = {
    name: new X509Certificate(ca).subject.replace('CN=', ''),
    key: createPrivateKey(product.ctx.seal.open('authority.key.1', key)),
  }
  const life = { from: new Date(Date.now() - day), until: new Date(Date.now() + day) }
  const { pem } = signCertificate(signer, {
    ...{ name: '127.0.0.1', use: 'server', publicKey: own.publicKey, hosts: ['127.0.0.1'], ...life },
  })
  const asked: (string | undefined)[] = []
  const impostor = createHttpsServer({ cert: pem + ca, key: keyPem(own.privateKey) }, ({ url }, reply) => {
    asked.push(url)
    reply.end()
  })
  await new Promise<void>((listening) => impostor.listen(0, '127.0.0.1', listening))
  const { port } = impostor.address() as { port: number }
  const { says } = start(await configure(await product.server(), { url: `https://127.0.0.1:${port}` }))
  await says(/no answer from https:.*\n(?:.*\n)*?no answer from/)
  expect(asked).toEqual([])
  impostor.closeAllConnections()
  impostor.close()
})

test('a silent listener does not keep an agent from stopping', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  const { port } = silent.address() as { port: number }
  const { child, says } = start(await configure(await product.server(), { url: `https://127.0.0.1:${port}` }))
  await once(silent, 'connection')
  await says(/kelid agent/)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  silent.close()
})

test('an agent sends nothing to another server at the address of the control plane', async () => {
  const other = await openProductWithNodes()
  const { says } = start(await configure(await product.server(), { url: other.nodesUrl }))
  await says(/no answer from .*(?:self-signed certificate|unable to (?:get|verify))/)
  await other.close()
})

test.each([
  ['no file', null, /ENOENT/],
  ['no JSON', 'nonsense', /JSON/],
  ['no address', '{}', /must contain "url"/],
  ['plain HTTP', '{"url":"http://kelid.example.com"}', /must begin with https/],
  ['an unknown VPN type', '{"url":"https://a.example.com","kind":"pigeon"}', /VPN type "pigeon"/],
])('a configuration with %s is reported in a line', async (_, text, sentence) => {
  const file = join(folder, 'wrong.json')
  await rm(file, { force: true })
  if (text !== null) await writeFile(file, text)
  const { child, output } = start(file)
  expect(await once(child, 'close')).toEqual([1, null])
  expect(output()).toMatch(sentence)
  const lines = output().trim().split('\n')
  expect(lines.filter((line) => !line.startsWith('Warning: disabling flag --expose_wasm'))).toHaveLength(1)
})
