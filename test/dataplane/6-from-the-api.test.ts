import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { defaultSettings } from '@kelid/contract'
import { bootHost } from './host.ts'
import { added, hysteria } from './installation.ts'
import { answerAs } from './pebble.ts'
import { call, cli, ownCertificates, settled } from './product.ts'
import { names } from './resolver.ts'
import { pebble } from './stage.ts'

const changesIn = (log: string) => Number(/target\s+:.*changed=(\d+)/.exec(log)?.[1] ?? -1)

test('servers and tunnels of both kinds are ready from the API alone, and each end knows the other', async () => {
  const { hosts, rows } = await added()
  for (const { kind, uuid } of rows) {
    const row = await call(`${kind}s/get${kind}`, { [`${kind}UUID`]: uuid })
    expect(row[`${kind}State`], await settled(kind, uuid)).toBe('ready')
  }
  expect(await hosts.wsTunnel.say('cat /etc/kelid/core.json')).toContain('api-ws.example')
  expect(await hosts.sshTunnel.say('systemctl is-active kelid-relay@1.service')).toBe('active')
})

test('once more changes nothing', async () => {
  const { rows } = await added()
  await Promise.all(
    rows.map(async ({ kind, uuid }) => {
      await call(`${kind}s/provision`, { [`${kind}UUID`]: uuid })
      const log = await settled(kind, uuid)
      expect(changesIn(log), log).toBe(0)
    }),
  )
})

test('with the settings of the first start a server gets and renews a certificate by ACME, from an account without an e-mail', async () => {
  await added()
  await pebble()
  const { certificates } = defaultSettings
  const close = await answerAs(new URL(certificates.acmeDirectory))
  const host = await bootHost('api-acme', '198.51.100.40')
  const body = hysteria('api-acme', host)
  const { serverUUID, serverURL } = body
  names.set(serverURL, host.address)
  await host.say(`echo '${cli('ssh-key').trim()}' >> /root/.ssh/authorized_keys`)
  await call('admin/setsettings', { certificates })
  try {
    await call('servers/add', body)
    const log = await settled('server', serverUUID)
    expect((await call('servers/getserver', { serverUUID })).serverState, log).toBe('ready')
    const leaf = async () => new X509Certificate(await host.say('cat /etc/kelid/certificate/chain.pem'))
    const first = await leaf()
    expect([first.checkHost(serverURL), first.issuer]).toEqual([
      serverURL,
      expect.stringContaining('Pebble Intermediate'),
    ])
    const accounts = await host.say('cat /etc/kelid/acme/*/accounts/*/*/account.json')
    expect(JSON.parse(accounts)).toMatchObject({ email: '', registration: { body: { status: 'valid' } } })
    await call('servers/provision', { serverUUID })
    expect(changesIn(await settled('server', serverUUID))).toBe(0)
    await host.say('systemctl start kelid-certificate.service')
    expect((await leaf()).serialNumber).not.toBe(first.serialNumber)
  } finally {
    close()
    await call('admin/setsettings', { certificates: ownCertificates })
    await call('servers/remove', { serverUUID })
  }
})
