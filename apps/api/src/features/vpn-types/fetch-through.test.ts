import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, test } from 'vitest'
import { testClock } from '../../../test/clock.ts'
import { folderForAllTests, openForAllTests } from '../../../test/hooks.ts'
import { productForAllTests } from '../../../test/product.ts'
import { freePort } from '../../../test/real/ports.ts'
import { xray } from '../../../test/real/programs.ts'
import { issueServerCertificate } from '../authority/authority.ts'
import { fetchThrough, type WholeWay } from './fetch-through.ts'

const reason = xray ? '' : ' (left out: no core has been built on this machine)'
const name = 'fra1.example.com'

/** The real program at both ends, on this machine. */
describe.skipIf(!xray)(`a page through real servers${reason}`, () => {
  const product = productForAllTests({ clock: testClock(new Date()) })
  const folder = folderForAllTests()
  const page = openForAllTests(async () => {
    const answers: Record<string, number> = { '/204': 204, '/200': 200 }
    const server = createServer(({ url = '' }, response) => {
      const status = answers[url]
      // Headers without an end, as a hostile answer.
      if (!status) return void response.socket?.write(`HTTP/1.1 204 ${'x'.repeat(200_000)}`)
      response.writeHead(status).end('')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://localhost:${(server.address() as AddressInfo).port}`
    return { url, close: () => server.closeAllConnections() ?? server.close() }
  })
  const servers: ChildProcess[] = []
  afterAll(() => {
    for (const server of servers) server.kill('SIGKILL')
  })

  const inbounds = {
    trojan: { protocol: 'trojan', network: 'raw', settings: { fallbacks: [{ dest: 0 }] } },
    hysteria: { protocol: 'hysteria', network: 'hysteria', settings: { version: 2 } },
  }
  async function serve(protocol: 'trojan' | 'hysteria', outbound = 'freedom'): Promise<WholeWay> {
    const vpnType = protocol === 'trojan' ? 'trojan' : 'hysteria2-direct'
    const [port, coverPort, secret] = [await freePort(), await freePort(), randomUUID()]
    createServer((_, response) => response.end('the cover page'))
      .listen(coverPort, '127.0.0.1')
      .unref()
    const { chain, key, ca } = await issueServerCertificate(product.ctx, name)
    const [certificateFile, keyFile] = [join(folder, `${port}.pem`), join(folder, `${port}.key`)]
    await writeFile(certificateFile, chain)
    await writeFile(keyFile, key)
    const { network, settings } = inbounds[protocol]
    const client = protocol === 'trojan' ? { password: secret } : { auth: secret }
    const config = {
      inbounds: [
        {
          ...{ listen: '127.0.0.1', port, protocol },
          settings: {
            ...settings,
            clients: [{ ...client, email: 'probe' }],
            ...('fallbacks' in settings && { fallbacks: [{ dest: coverPort }] }),
          },
          streamSettings: {
            ...{ network, security: 'tls' },
            tlsSettings: {
              certificates: [{ certificateFile, keyFile }],
              ...(network === 'hysteria' && { alpn: ['h3'] }),
            },
            ...(network === 'hysteria' && { hysteriaSettings: { version: 2 } }),
          },
        },
      ],
      outbounds: [{ protocol: outbound }],
    }
    const server = spawn(xray, ['run', '-c', 'stdin:'], { stdio: ['pipe', 'pipe', 'inherit'] })
    servers.push(server)
    server.stdin.end(JSON.stringify(config))
    for await (const line of createInterface({ input: server.stdout })) if (/started/.test(line)) break
    return { vpnType, address: '127.0.0.1', port, name, authorities: [ca], secret }
  }

  test('comes out at the far end, and an exit without internet, a refused account and another answer do not count', async () => {
    const [trojan, hysteria] = [await serve('trojan'), await serve('hysteria')]
    const cutOff = [await serve('trojan', 'blackhole'), await serve('hysteria', 'blackhole')]
    const nobody = { ...trojan, port: await freePort() }
    const outcomes = async (...ways: WholeWay[]) =>
      (await fetchThrough(xray, ways, `${page.url}/204`)).map(({ outcome }) => outcome)
    expect(await outcomes(trojan, hysteria)).toEqual(Array(2).fill('ANSWERED'))
    expect(await outcomes(...cutOff, nobody)).toEqual(Array(3).fill('NO_INTERNET'))
    const refused = [trojan, hysteria].map((way) => ({ ...way, secret: randomUUID() }))
    expect(await outcomes(...refused)).toEqual(Array(2).fill('NO_INTERNET'))
    expect(await fetchThrough(xray, [trojan, hysteria], `${page.url}/200`)).toEqual(
      Array(2).fill({ outcome: 'NO_INTERNET', detail: 'HTTP 200' }),
    )
    const [hostile] = await fetchThrough(xray, [trojan], `${page.url}/endless`)
    expect(hostile).toEqual({ outcome: 'NO_INTERNET', detail: 'HPE_HEADER_OVERFLOW' })
  })

  test('a hundred ways that lead nowhere take no longer than two time limits, and a program that is no core no verdict', async () => {
    const way = { ...(await serve('trojan', 'blackhole')) }
    const before = Date.now()
    const findings = await fetchThrough(xray, Array(100).fill(way), `${page.url}/204`)
    expect(new Set(findings.map(({ outcome }) => outcome))).toEqual(new Set(['NO_INTERNET']))
    expect(Date.now() - before).toBeLessThan(30_000)
    expect(await fetchThrough('/bin/false', [way], page.url)).toMatchObject([{ outcome: 'NO_CORE' }])
  })
})
