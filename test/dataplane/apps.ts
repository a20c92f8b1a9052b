import { execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Account, productAuthority, wayOf } from './accounts.ts'
import { run } from './commands.ts'
import { openApp, openCustomer } from './customer.ts'
import { addNamespace, address } from './network.ts'
import { programs } from './programs.ts'

type Way = Awaited<ReturnType<typeof wayOf>>

const ca = '/mnt/product-ca.pem'
async function trusted() {
  writeFileSync(ca, await productAuthority())
  return ca
}

/** Debian's own client of that name. */
const trojan = ({ server, port, name, secret }: Way, listen: number) => ({
  run_type: 'client',
  local_addr: address.customer,
  local_port: listen,
  remote_addr: server,
  remote_port: port,
  password: [secret],
  log_level: 1,
  ssl: { verify: true, verify_hostname: true, cert: ca, cipher: '', sni: name, alpn: ['http/1.1'] },
  tcp: { no_delay: true },
})

const v2ray = ({ server, port, name, secret }: Way, listen: number) => ({
  log: { loglevel: 'warning' },
  inbounds: [
    { listen: address.customer, port: listen, protocol: 'socks', settings: { auth: 'noauth', udp: false } },
  ],
  outbounds: [
    {
      protocol: 'trojan',
      settings: { servers: [{ address: server, port, password: secret }] },
      streamSettings: {
        network: 'tcp',
        security: 'tls',
        tlsSettings: {
          ...{ serverName: name, alpn: ['http/1.1'], disableSystemRoot: true },
          certificates: [{ usage: 'verify', certificateFile: ca }],
        },
      },
    },
  ],
})

/** Reads the very link, as text. */
function mihomo(link: string, listen: number): string[] {
  const folder = `/mnt/mihomo-${listen}`
  mkdirSync(folder)
  writeFileSync(`${folder}/links.txt`, `${link}\n`)
  const config = {
    ...{ 'socks-port': listen, 'allow-lan': true, 'bind-address': address.customer, 'log-level': 'warning' },
    ...{ mode: 'rule', ipv6: false },
    'proxy-providers': { links: { type: 'file', path: './links.txt' } },
    'proxy-groups': [{ name: 'Proxy', type: 'select', use: ['links'] }],
    rules: ['MATCH,Proxy'],
  }
  writeFileSync(`${folder}/config.yaml`, JSON.stringify(config))
  return [programs.mihomo, '-d', folder]
}

function written(config: object, listen: number): string {
  const file = `/mnt/app-${listen}.json`
  writeFileSync(file, JSON.stringify(config))
  return file
}

/** Programs of several authors, each with an account's link; those that cannot read in it whom to trust are told. */
export const linkApps = {
  'sing-box': async (account: Account) => openCustomer(await wayOf(account)),
  mihomo: ({ accountQRString = '' }: Account) => openApp((listen) => mihomo(accountQRString, listen)),
  trojan: async (account: Account) => {
    const way = await wayOf(account)
    await trusted()
    return openApp((listen) => ['trojan', '-c', written(trojan(way, listen), listen)])
  },
  v2ray: async (account: Account) => {
    const way = await wayOf(account)
    await trusted()
    return openApp((listen) => ['v2ray', '-config', written(v2ray(way, listen), listen)])
  },
}

let phones = 0

/** A device of its own, whose whole traffic an app takes over; it reads a file of the subscription as it came. */
export function openPhone(file: string, content: string, command: (file: string) => string[]) {
  phones += 1
  const name = `phone-${phones}`
  addNamespace(name, `203.0.113.${210 + phones}`)
  // As at home: one way out for everything.
  run('ip', '-n', name, 'route', 'flush', 'dev', 'eth0')
  run('ip', '-n', name, 'route', 'add', 'default', 'dev', 'eth0')
  const folder = `/mnt/${name}`
  mkdirSync(folder)
  writeFileSync(`${folder}/${file}`, content)
  const app = spawn('ip', ['netns', 'exec', name, ...command(`${folder}/${file}`)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [app.stdout, app.stderr]) stream.on('data', (text) => (log += text))
  const curl = promisify(execFile)
  return {
    /** What comes back; empty when nothing does. */
    fetch: (url: string, ...proxy: string[]) =>
      curl('ip', ['netns', 'exec', name, 'curl', '--silent', '--max-time', '3', ...proxy, url]).then(
        ({ stdout }) => stdout,
        () => '',
      ),
    log: () => log,
    close: () => app.kill(),
  }
}
