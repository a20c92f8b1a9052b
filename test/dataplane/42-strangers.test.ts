import { once } from 'node:events'
import { createSecureServer, type Http2ServerRequest } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { beforeAll, expect, test } from 'vitest'
import { authority, issue } from './authority.ts'
import { run, runBeside, until } from './commands.ts'
import { handshake, knock, nonsense, shownTo, slowKnocks, withoutDate } from './door.ts'
import type { Host } from './host.ts'
import { provision } from './provision.ts'
import { names } from './resolver.ts'
import { acme, ready, server, setUp } from './stage.ts'

beforeAll(ready)

const reference = 9443
/** A plain web server with the site of a tunnel, for comparison; nginx as Debian packages it. */
const plainSite = (name: string) => `
pid /run/reference.pid;
worker_processes 2;
events { worker_connections 1024; }
http {
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  server_tokens off;
  access_log off;
  server {
    listen ${reference} ssl http2;
    ssl_certificate /etc/kelid-front/1/${name}.crt;
    ssl_certificate_key /etc/kelid-front/1/${name}.key;
    ssl_protocols TLSv1.2 TLSv1.3;
    root /var/lib/kelid-front/site;
  }
}`

const curl = async (...args: string[]) =>
  (await runBeside(['curl', '--silent', '--insecure', '--max-time', '10', ...args])).stdout
test.each([
  ['SSH', 'tunnelSsh', 'ssh.tunnel.example'],
  ['WebSocket', 'tunnelWs', 'wstunnel.tunnel.example'],
] as const)(
  'a stranger cannot tell a tunnel by %s from a web server, by bytes or by time',
  async (_, tunnel, name) => {
    const { hosts } = await ready()
    const host = hosts[tunnel]
    await host.say(`cat > /etc/reference.conf << 'END'\n${plainSite(name)}\nEND`)
    await host.say("systemd-run --quiet --unit=reference nginx -c /etc/reference.conf -g 'daemon off;'")
    await host.say(`nft add element inet kelid opened '{ ${reference} timeout 5m }'`)
    await until('the reference', 10, () => host.say(`ss -Hlnt sport = :${reference} | grep -q .`))
    const ports = [443, reference]

    const waited = Object.entries(slowKnocks).map(async ([what, send]) => {
      const [own, web] = await Promise.all(ports.map((port) => knock(host.address, send, port)))
      console.log(
        `${what}: ${own?.end} after ${own?.milliseconds} ms, nginx ${web?.end} after ${web?.milliseconds} ms`,
      )
      expect([what, own?.answer]).toEqual([what, web?.answer])
      expect(Math.abs((own?.milliseconds ?? 0) - (web?.milliseconds ?? 0)), what).toBeLessThan(1_000)
      expect(own?.milliseconds, what).toBeGreaterThan(59_000)
    })
    for (const [what, send] of Object.entries(nonsense)) {
      const [own, web] = await Promise.all(ports.map((port) => knock(host.address, send, port)))
      expect([what, withoutDate(own?.answer ?? ''), own?.end]).toEqual([
        what,
        withoutDate(web?.answer ?? ''),
        web?.end,
      ])
      expect(Math.abs((own?.milliseconds ?? 0) - (web?.milliseconds ?? 0)), what).toBeLessThan(1_000)
    }
    for (const sni of ['unknown.example', ''])
      for (const alpn of [['h2', 'http/1.1'], ['http/1.1']]) {
        const [own, web] = await Promise.all(ports.map((port) => shownTo(host.address, port, sni, alpn)))
        expect(own).toEqual(web)
        expect(own?.length).toBeGreaterThan(3)
      }
    await Promise.all(waited)
    await host.say('systemctl stop reference')
  },
)

test('every public host has a site of its own, over HTTP, TLS and HTTP/2', async () => {
  const { hosts } = await ready()
  const pages = await Promise.all(
    [hosts.tunnelSsh, hosts.tunnelWs, hosts.hysteria].map(async ({ address }) => {
      const page = await curl(`http://${address}/`)
      expect(await curl(`https://${address}/`)).toBe(page)
      expect(
        await curl(
          '--http2',
          '--output',
          '/dev/null',
          '--write-out',
          '%{http_version}',
          `https://${address}/`,
        ),
      ).toBe('2')
      expect(await curl('--head', '--http1.1', `https://${address}/`)).toMatch(
        /^HTTP\/1.1 200 OK\r\nServer: nginx\r\n/,
      )
      expect(await curl('--include', '--http1.1', `https://${address}/nothing`)).toMatch(
        /404 Not Found[\s\S]*<center>nginx/,
      )
      return page
    }),
  )
  // Behind TLS of the core, by either protocol.
  for (const { host, name } of [
    { host: hosts.exitWs, name: server.ws },
    { host: hosts.tunnelSsh, name: server.ssh },
  ])
    for (const protocol of ['--http1.1', '--http2']) {
      const to = ['--resolve', `${name}:443:${host.address}`, '--cacert', '/mnt/authority/ca.pem', protocol]
      const answer = await curl('--include', ...to, `https://${name}/`)
      expect(answer).toMatch(protocol === '--http2' ? /^HTTP\/2 200/ : /^HTTP\/1.1 200 OK\r\nServer: nginx/)
      pages.push(answer.slice(answer.indexOf('<!doctype')))
    }
  const titles = pages.map((page) => /<title>(.*)<\/title>/.exec(page)?.[1])
  console.log(titles.join(', '))
  expect(new Set(pages).size).toBe(5)
})

test('a tunnel shows its site while a server cannot be reached', async () => {
  const { hosts } = await ready()
  const host = hosts.tunnelSsh
  const site = await curl(`http://${host.address}/`)
  const asked = () => curl('--resolve', `${server.ssh}:443:${host.address}`, `https://${server.ssh}/`)
  expect(await asked()).not.toBe(site)
  const units = await host.say("systemctl list-units --plain --no-legend 'kelid-relay@*' | cut -d' ' -f1")
  await host.say(`systemctl stop ${units.split('\n').join(' ')}`)
  expect(await asked()).toBe(site)
  await host.say(`systemctl start ${units.split('\n').join(' ')}`)
  await until('the server is reached again', 10, () => handshake(host, server.ssh))
})

test("a tunnel's site has a certificate by ACME where its name leads to the tunnel, and its own otherwise", async () => {
  const { hosts, descriptions } = await ready()
  const issuer = async () =>
    (await shownTo(hosts.tunnelWs.address, 443, 'unknown.example', ['http/1.1'])).find((line) =>
      line.startsWith('issuer'),
    )
  const description = { ...descriptions.tunnelWs, certificate: await acme('front.example') }
  const refused = await setUp(hosts.tunnelWs, description)
  expect(refused.log).toContain('The site of front.example has a self-signed certificate')
  expect(await issuer()).toContain('CN = front.example')
  const again = await provision(hosts.tunnelWs, description)
  expect([again.code, again.changed], again.log).toEqual([0, 0])

  names.set('front.example', hosts.tunnelWs.address)
  await hosts.tunnelWs.say('systemctl start kelid-certificate')
  await until('the new certificate is shown', 5, async () => expect(await issuer()).toContain('Pebble'))
  await setUp(hosts.tunnelWs, descriptions.tunnelWs)
})

/** At this host by HTTP and by TLS with either protocol. */
const pagesAt = async ({ address: at }: Host, path = '/') => [
  await curl(`http://${at}${path}`),
  await curl('--http1.1', `https://${at}${path}`),
  await curl('--http2', `https://${at}${path}`),
]

test('a folder of the operator’s own is shown instead of the generated site', async () => {
  const { hosts, descriptions } = await ready()
  const host = hosts.tunnelWs
  const generated = await curl(`http://${host.address}/`)
  await host.say("mkdir /srv/kelid-site && echo 'Our own page' > /srv/kelid-site/index.html")
  await setUp(host, descriptions.tunnelWs)
  for (const page of await pagesAt(host)) expect(page).toBe('Our own page\n')
  expect(await curl('--include', '--http1.1', `https://${host.address}/about.html`)).toContain(
    '404 Not Found',
  )
  await host.say('rm -r /srv/kelid-site')
  await setUp(host, descriptions.tunnelWs)
  expect(await curl(`http://${host.address}/`)).toBe(generated)
})

/** Somebody's site, which tells who asks. */
async function openSite(name: string, at: string) {
  run('ip', 'address', 'add', `${at}/32`, 'dev', 'eth0')
  const asked: { servername: unknown; from: string | undefined; headers: Record<string, unknown> }[] = []
  const { chain: cert, key } = issue(name)
  const site = createSecureServer(
    { key, cert, allowHTTP1: true },
    (request: Http2ServerRequest, response) => {
      const { servername, remoteAddress: from } = request.socket as TLSSocket
      asked.push({ servername, from, headers: request.headers })
      response.setHeader('server', 'Apache')
      response.setHeader('alt-svc', 'h3=":443"')
      if (request.url !== '/moved') return response.end(`A site of somebody: ${request.url}`)
      response.writeHead(302, { location: `https://${name}/here`, 'set-cookie': `a=b; Domain=${name}` }).end()
    },
  )
  site.listen(443, at)
  await once(site, 'listening')
  return { asked, close: () => site.close() }
}

test('the site of an address is fetched for strangers, who see the certificate of the host and whom it does not learn', async () => {
  const { hosts, descriptions } = await ready()
  const [name, at] = ['shown.example', '203.0.113.91']
  const site = await openSite(name, at)
  const shown = { site: { name, addresses: [at] } }
  for (const [host, description] of [
    [hosts.tunnelWs, descriptions.tunnelWs],
    [hosts.hysteria, descriptions.hysteria],
  ] as const) {
    const certificateOf = async () =>
      (await shownTo(host.address, 443, 'unknown.example', ['http/1.1'])).filter((line) =>
        /^(subject|issuer)/.test(line),
      )
    const certificate = await certificateOf()
    await host.say(
      `echo '${authority()}' > /usr/local/share/ca-certificates/test.crt && update-ca-certificates`,
    )
    await setUp(host, { ...description, ...shown })
    for (const page of await pagesAt(host, '/some/page')) expect(page).toBe('A site of somebody: /some/page')
    await curl('-H', 'X-Forwarded-For: 192.0.2.77', '-H', 'X-Real-IP: 192.0.2.77', `https://${host.address}/`)
    expect(site.asked).toHaveLength(4)
    for (const { servername, from, headers } of site.asked.splice(0)) {
      expect([servername, from, headers.host]).toEqual([name, host.address, name])
      expect(JSON.stringify(headers)).not.toMatch(/192\.0\.2\.77|198\.51\.100\.|203\.0\.113\./)
    }
    expect(await certificateOf()).toEqual(certificate)
    const moved = await curl('--include', '--http1.1', `https://${host.address}/moved`)
    expect(moved).toMatch(/^HTTP\/1.1 302/)
    expect(moved).toContain(`Location: https://${host.address}/here\r\n`)
    expect(moved).toContain('Server: nginx\r\n')
    expect(moved).not.toMatch(/alt-svc/i)
    expect(moved.toLowerCase()).not.toContain(name)
    site.asked.splice(0)
    const again = await provision(host, { ...description, ...shown })
    expect([again.code, again.changed], again.log).toEqual([0, 0])
  }

  // The web server starts and serves customers while the site is away.
  site.close()
  run('ip', 'address', 'del', `${at}/32`, 'dev', 'eth0')
  const host = hosts.tunnelWs
  await host.say('systemctl restart kelid-front')
  await until('customers are led on', 10, () => handshake(host, server.ws))
  expect(await curl('--include', '--http1.1', `https://${host.address}/`)).toMatch(/502 Bad Gateway|504/)
  await setUp(host, descriptions.tunnelWs)
  await setUp(hosts.hysteria, descriptions.hysteria)
  expect(await curl(`http://${host.address}/`)).toContain('<title>')
})
