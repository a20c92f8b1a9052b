import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vpnTypes } from '@kelid/contract'
import { expect, test } from 'vitest'
import { temporaryFolder } from './agent.fixture.ts'
import { readConfig } from './config.ts'

const folder = temporaryFolder()
const file = join(folder, 'config.json')
const read = (config: object) => {
  writeFileSync(file, JSON.stringify(config))
  return readConfig(file)
}
const url = 'https://nodes.example.com:8443'

test.each([...vpnTypes, 'tunnel'])('a host of kind %s is known', async (kind) => {
  expect(await read({ url, kind })).toMatchObject({ url, kind })
})

test('an unknown VPN type is refused by name', async () => {
  await expect(read({ url, kind: 'carrier-pigeon' })).rejects.toThrow(
    `unknown VPN type "carrier-pigeon" in ${file}`,
  )
  await expect(read({ url })).rejects.toThrow('unknown VPN type ""')
})

test('the control plane is reached by https only', async () => {
  await expect(read({ url: 'http://nodes.example.com', kind: 'tunnel' })).rejects.toThrow('https://')
})

test('the certificate of the site is optional, because earlier playbooks do not write it', async () => {
  expect(await read({ url, kind: 'tunnel' })).toMatchObject({ siteCertificate: '' })
  const siteCertificate = '/etc/kelid-front/1/tunnel.example.crt'
  expect(await read({ url, kind: 'tunnel', siteCertificate })).toMatchObject({ siteCertificate })
  await expect(read({ url, kind: 'tunnel', siteCertificate: true })).rejects.toThrow('"siteCertificate"')
})
