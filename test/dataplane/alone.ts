import { spawn } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { adjustUserCredit, getCountries, getServer, getServerLog, setSettings } from '@kelid/contract'
import { callerAt } from './caller.ts'
import { until } from './commands.ts'
import { bootHost, type Host, sshOptions } from './host.ts'
import { probeUrl } from './network.ts'
import { administrator } from './product.ts'
import { programs } from './programs.ts'
import { names } from './resolver.ts'
import { memo, world } from './stage.ts'

/** Where the product and its Node are on that machine. */
const installed = '/opt/kelid'
const node = '/opt/node'
const program = `${installed}/apps/api/run.mjs`
const readable = { [join(import.meta.dirname, '../..')]: installed, [process.execPath]: node }
const port = 8100

const unit = ({ address }: Host) => `[Service]
ExecStartPre=${node} ${program} cli core add /opt/xray
ExecStart=${node} ${program} main
${[
  'PORT=8099',
  'KELID_DATA_DIR=/var/lib/kelid-product',
  `KELID_ADMIN_EMAIL=${administrator.email}`,
  `KELID_ADMIN_PASSWORD=${administrator.password}`,
  'KELID_ALLOW_LOCAL_HOST=yes',
  `KELID_AGENT_HOST=${address}`,
  `KELID_AGENT_URL=https://${address}:8443`,
  `KELID_PROBE_URL=${probeUrl}`,
]
  .map((variable) => `Environment=${variable}`)
  .join('\n')}
`

/** A machine with the product on it and nothing else, which an administrator is signed in to. */
export const alone = memo(async () => {
  await world()
  const host = await bootHost('alone', '198.51.100.41', { readable })
  names.set('alone.example', host.address)
  copyFileSync(programs.xray, join(host.root, 'opt/xray'))
  writeFileSync(join(host.root, 'etc/systemd/system/product.service'), unit(host))
  await host.say('systemctl daemon-reload && systemctl start product')
  // As a browser wants it: what is not encrypted has to be on its own machine.
  const forward = ['-N', '-L', `127.0.0.1:${port}:127.0.0.1:8099`, `root@${host.address}`]
  const tunnel = spawn('ssh', [...sshOptions, ...forward], { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  const { call, signIn } = callerAt(origin)
  await until('the product to be ready', 60, () => signIn(administrator), 500)
  const cli = `${node} ${program} cli`
  const productKey = await host.say(`KELID_DATA_DIR=/var/lib/kelid-product ${cli} ssh-key`)
  await call(setSettings, {
    certificates: { source: 'own', acmeDirectory: 'https://acme.example.com/directory', acmeEmail: '' },
  })
  /** Waits until the last run has succeeded and the server is sold; `isDone` tells more from its log. */
  const ready = (serverUUID: string, isDone = /./) =>
    until(
      'the server to be ready',
      300,
      async () => {
        const { serverState } = await call(getServer, { serverUUID })
        const { ansibleLog = '' } = await call(getServerLog, { serverUUID })
        if (serverState !== 'ready' || !isDone.test(ansibleLog)) throw new Error(ansibleLog)
        const { items } = await call(getCountries, {})
        if (!items.some(({ countryOffers }) => countryOffers)) throw new Error('no server is sold')
      },
      1000,
    )
  const amount = 1_000
  await call(adjustUserCredit, { userEmail: administrator.email, amount, reason: 'to sell' })
  return { host, origin, call, ready, productKey, close: () => tunnel.kill() }
})
