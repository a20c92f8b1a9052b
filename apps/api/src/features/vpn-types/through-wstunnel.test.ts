import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connect as connectTls } from 'node:tls'
import { fitsTunnel, hasReality, vpnCatalogue, vpnTypes } from '@kelid/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { runningClock } from '../../../test/clock.ts'
import { folderForAllTests, openForAllTests } from '../../../test/hooks.ts'
import { productForAllTests } from '../../../test/product.ts'
import { renderFile } from '../../../test/real/inbound.ts'
import { openPages } from '../../../test/real/pages.ts'
import { freePort } from '../../../test/real/ports.ts'
import { leftOut, xray } from '../../../test/real/programs.ts'
import { openSite } from '../../../test/real/site.ts'
import { issueServerCertificate } from '../authority/authority.ts'
import { newRealityColumns, openRealityKeys } from '../hosts/reality.ts'
import { relayRealityOf } from '../hosts/relays.ts'
import { fetchThrough } from './fetch-through.ts'

const reason = leftOut && ` (left out: ${leftOut})`
/** As an administrator may have written it. */
const name = 'Exit.example.com'
/** Of a customer, as the entrance of the tunnel says. */
const customer = { address: '203.0.113.9', port: 40_404 }

describe.skipIf(leftOut)(`through a tunnel over WebSocket${reason}`, () => {
  const product = productForAllTests({ clock: runningClock() })
  const pages = openForAllTests(openPages)
  const folder = folderForAllTests()
  const stops: (() => unknown)[] = []
  afterAll(() => {
    for (const stop of stops) stop()
  })

  async function runCore(config: object, authority: string) {
    const env = { ...process.env, XRAY_BUF_SPLICE: 'disable', SSL_CERT_FILE: authority }
    const core = spawn(xray, ['run', '-config', 'stdin:'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
    stops.push(() => core.kill('SIGKILL'))
    core.stdin.end(JSON.stringify(config))
    for await (const line of createInterface({ input: core.stdout })) if (/ started/.test(line)) return
    throw new Error('the core did not start')
  }

  /** What nginx does at the entrance. */
  async function openEntrance(port: number) {
    const entrance = createServer((socket) => {
      const onwards = connect(port, '127.0.0.1')
      onwards.write(`PROXY TCP4 ${customer.address} 127.0.0.1 ${customer.port} 443\r\n`)
      socket.pipe(onwards).pipe(socket)
      for (const end of [socket, onwards])
        end.on('error', () => socket.destroy(onwards.destroy() && undefined))
    }).listen(0, '127.0.0.1')
    await once(entrance, 'listening')
    stops.push(() => entrance.close())
    return (entrance.address() as AddressInfo).port
  }

  async function openWay(vpnType: (typeof vpnTypes)[number]) {
    const own = join(folder, vpnType)
    await mkdir(own)
    const at = (file: string) => join(own, file)
    const certificate = await issueServerCertificate(product.ctx, name)
    await writeFile(at('chain.pem'), certificate.chain)
    await writeFile(at('key.pem'), certificate.key)
    const site = await openSite(certificate)
    const [port, inner, api, relayed] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ]
    const ws = { path: `/${randomUUID()}`, id: randomUUID() }
    const [secret, id] = [randomUUID(), randomUUID()]
    const uuid = randomUUID()
    const keys = openRealityKeys(product.ctx, { uuid, ...newRealityColumns(product.ctx, uuid) }).current
    const relay = relayRealityOf(ws)
    const server = {
      ...{ vpn_type: vpnType, vpn: vpnCatalogue[vpnType], tunnel_type: 'wstunnel', name, port },
      ws: { ...ws, private: relay.privateKey, short_id: relay.shortId },
      ...(hasReality(vpnType) && {
        reality: { target: '', keys: [{ private: keys.privateKey, short_id: keys.shortId }] },
      }),
    }
    const written = (await renderFile({ server }, 'core/templates/server.json.j2'))
      .replaceAll('/etc/kelid/certificate', own)
      .replaceAll('/run/kelid-core', own)
      .replaceAll('/run/kelid/access.log', at('access.log'))
      .replaceAll('4443', String(inner))
      .replaceAll('127.0.0.1:10085', `127.0.0.1:${api}`)
      .replaceAll(/"target": "[^"]*\.sock", "xver": 2/g, `"target": "127.0.0.1:${site}", "xver": 0`)
    const config = JSON.parse(written)
    const [customers] = config.inbounds
    customers.settings.clients = [
      {
        ...{ email: id, level: 0 },
        ...(vpnType === 'trojan' ? { password: secret } : { id: secret }),
        ...(vpnType === 'vless-reality' && { flow: 'xtls-rprx-vision' }),
      },
    ]
    // The pages of this test are on this machine.
    config.routing.rules = config.routing.rules.filter(
      (rule: { ruleTag: string }) => rule.ruleTag !== 'private',
    )
    await runCore(config, at('chain.pem'))

    const exit = {
      ...{ uuid, name, ipv4: '127.0.0.1', port, slot: 1, service: 1 },
      ...{ ws_path: ws.path, ws_id: ws.id, ca: certificate.ca },
      ...(hasReality(vpnType) && { reality: { public: relay.publicKey, short_id: relay.shortId } }),
    }
    const tunnel = { type: 'wstunnel', port: 443, exits: [exit] }
    const [{ inbound, outbound, rule }] = JSON.parse(
      await renderFile({ tunnel }, 'core/templates/exits.json.j2'),
    )
    const relaying = {
      inbounds: [{ ...inbound, port: relayed }],
      outbounds: [{ tag: 'block', protocol: 'blackhole' }, outbound],
      routing: { rules: [rule] },
    }
    await runCore(relaying, at('chain.pem'))
    const way = {
      ...{ vpnType, secret, address: '127.0.0.1', port: await openEntrance(relayed), name },
      authorities: [certificate.ca],
      reality: { publicKey: keys.publicKey, shortId: keys.shortId },
    }
    return { way, id, port, inner, site, log: () => readFileSync(at('access.log'), 'utf8') }
  }

  const certificateAt = async (port: number, servername: string) => {
    const socket = connectTls({ port, servername, ALPNProtocols: ['h2'], rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    const shown = [socket.getPeerCertificate().fingerprint256, socket.getProtocol(), socket.alpnProtocol]
    socket.destroy()
    return shown
  }

  test.concurrent.each(vpnTypes.filter((vpnType) => fitsTunnel(vpnType, 'wstunnel')))(
    'a customer of %s gets a page, with the own address in the log, and strangers see the site',
    async (vpnType) => {
      const { way, id, port, site, log } = await openWay(vpnType)
      const fetchPage = async (change: object) => {
        const [finding] = await fetchThrough(xray, [{ ...way, ...change }], pages.page.replace(/\/$/, '/204'))
        return finding?.outcome
      }
      // After a start the core first learns how the site for strangers answers.
      await fetchPage({})
      expect(await fetchPage({})).toBe('ANSWERED')
      expect(log()).toMatch(
        new RegExp(
          `from (tcp:)?${customer.address}:${customer.port} accepted tcp:.*\\[vpn -> direct\\] email: ${id}`,
        ),
      )
      expect(await fetchPage({ secret: randomUUID() })).toBe('NO_INTERNET')
      // Only tunnels come in by the server's port.
      expect(await fetchPage({ port })).toBe('NO_INTERNET')
      for (const servername of [name, 'unknown.example.com'])
        expect(await certificateAt(port, servername)).toEqual(await certificateAt(site, servername))
    },
  )
})
