import { expect, test } from 'vitest'
import { hysteriaProbe, read } from './probe-hysteria.ts'
import { trusting } from './probe-tls.ts'

const failed =
  'failed to process outbound traffic > proxy/hysteria: failed to find an available destination > '

test.each([
  [`${failed}transport/internet/hysteria: auth failed`, { outcome: 'ANSWERED', detail: '' }],
  [
    `${failed}transport/internet/hysteria: RoundTrip err > timeout: no recent network activity`,
    { outcome: 'TIMEOUT', detail: '' },
  ],
  [
    `${failed}transport/internet/hysteria: RoundTrip err > CRYPTO_ERROR 0x12a (local): tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    { outcome: 'CERTIFICATE', detail: expect.stringContaining('unknown authority') },
  ],
  [
    '[Info] [1] proxy/hysteria: tunneling request to unix:probe.invalid via UNIX:192.0.2.1:443',
    { outcome: 'OPEN', detail: '' },
  ],
  ['[Warning] core: Xray 26.3.27 started', undefined],
])('the log of the core is read: %s', (line, finding) => {
  expect(read(line)).toEqual(finding)
})

test.each(['/bin/false', '/nowhere/xray'])(
  '%s, which is no core, is no verdict on the server',
  async (core) => {
    const target = { address: '127.0.0.1', port: 1, name: 'fra1.example.com', authorities: [] }
    expect((await hysteriaProbe.run(target, { core, trusted: trusting([]) })).outcome).toBe('NO_CORE')
  },
)
