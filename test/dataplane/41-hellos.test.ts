import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { addAccount } from './core-api.ts'
import { type Flight, handshake, splitName, tcpPieces, tlsRecords } from './door.ts'
import { page } from './pages.ts'
import { customerAt, ready, server } from './stage.ts'

beforeAll(ready)

const tunnels = {
  'an SSH tunnel': { entry: 'tunnelSsh', exit: 'exitSsh', name: server.ssh },
  'a tunnel over WebSocket': { entry: 'tunnelWs', exit: 'exitWs', name: server.ws },
} as const

const hellos = (name: string): Record<string, { after?: number; flight?: Flight }> => ({
  whole: {},
  'late by 0.7 s': { after: 700 },
  'late by 3 s': { after: 3_000 },
  'TCP pieces of 1 byte': { flight: tcpPieces(1, 1) },
  'TCP pieces of 50 bytes': { flight: tcpPieces(50, 20) },
  'two TLS records, split inside the name': { flight: splitName(name) },
  'TLS records of 100 bytes': { flight: tlsRecords(100) },
  'TLS records of 20 bytes, 20 ms apart': { flight: tlsRecords(20, 20) },
  'TLS records of 1 byte': { flight: tlsRecords(1) },
})

describe.each(Object.entries(tunnels))('%s', (_, { entry, exit, name }) => {
  test('reads every form of a hello as a web server does, with and without post-quantum keys', async () => {
    const { hosts } = await ready()
    const forms = ['X25519', 'X25519MLKEM768'].flatMap((group) =>
      Object.entries(hellos(name)).map(([form, hello]) => ({ form: `${form}, ${group}`, group, ...hello })),
    )
    const refused = await Promise.all(
      forms.map(({ form, ...hello }) =>
        handshake(hosts[entry], name, hello).then(
          ({ subject }) => (subject.CN === name ? '' : `${form}: ${subject.CN}`),
          (error) => `${form}: ${error.message}`,
        ),
      ),
    )
    expect(refused.filter((line) => line !== '')).toEqual([])
  })

  test('lets an app in that splits its hello', async () => {
    const { hosts } = await ready()
    const secret = randomUUID()
    await addAccount(hosts[exit], 'trojan', secret, secret)
    for (const tls of [{ record_fragment: true }, { fragment: true, record_fragment: true }]) {
      const customer = await customerAt(hosts[entry], name, secret, { tls })
      expect((await customer.fetch('http://page.example:8080/')).stdout).toBe(page)
      customer.close()
    }
  })
})
