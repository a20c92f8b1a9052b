import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:https'
import { authority, issue } from './authority.ts'
import { until } from './commands.ts'
import { address } from './network.ts'
import { programs } from './programs.ts'
import { names } from './resolver.ts'

const name = 'acme.example'

const get = (url: string) =>
  new Promise<string>((resolve, reject) => {
    const asked = request(url, { ca: authority(), servername: name }, async (response) => {
      let text = ''
      for await (const part of response) text += part
      resolve(text)
    })
    asked.on('error', reject).end()
  })

/** The same server where the product looks for one after its first start. */
export async function answerAs({ hostname, pathname }: URL) {
  names.set(hostname, address.world)
  const { chain: cert, key } = issue(hostname)
  const door = createServer({ cert, key }, (asked, answer) => {
    const path = asked.url === pathname ? '/dir' : asked.url
    const { method, headers } = asked
    const passed = request(
      { host: address.world, port: 14_000, servername: name, ca: authority(), path, method, headers },
      (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(answer)
      },
    )
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  await once(door.listen(443, address.world), 'listening')
  return () => door.close()
}

/** A real ACME server. What it signs is due for renewal at once: it is good for five days. */
export async function openPebble() {
  const folder = '/mnt/pebble'
  mkdirSync(folder)
  names.set(name, address.world)
  const { chain, key } = issue(name)
  writeFileSync(`${folder}/chain.pem`, chain)
  writeFileSync(`${folder}/key.pem`, key)
  const pebble = {
    listenAddress: `${address.world}:14000`,
    managementListenAddress: `${address.world}:15000`,
    certificate: `${folder}/chain.pem`,
    privateKey: `${folder}/key.pem`,
    httpPort: 80,
    tlsPort: 443,
    profiles: { default: { description: 'The only one', validityPeriod: 5 * 86_400 } },
  }
  writeFileSync(`${folder}/config.json`, JSON.stringify({ pebble }))
  const child = spawn(
    programs.pebble,
    ['-config', `${folder}/config.json`, '-dnsserver', `${address.world}:53`],
    {
      stdio: 'ignore',
      env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
    },
  )
  child.on('error', (error) => console.error(error))
  const root = await until('Pebble', 20, () => get(`https://${address.world}:15000/roots/0`))
  return { directory: `https://${name}:14000/dir`, ca: authority(), root }
}
