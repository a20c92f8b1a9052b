import { getMachine, newAccount, setHostPaused } from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { directAccount, sampleServer, trojanServer, unusedAddress } from '../../../test/sample-hosts.ts'

const product = productForAllTests()
const read = async (machineIPV4: string) =>
  (await product.again(product.admin)).ask(getMachine, { machineIPV4 })

test('a machine has the hosts at its address, with their ports, state and accounts', async () => {
  const address = unusedAddress()
  expect(await read(address)).toEqual({ machineIPV4: address, machineSSHPort: null, services: [] })
  const at = { serverIPV4: address, serverSSHPort: 2222 }
  const hysteria = await product.server({
    ...at,
    ...{ serverName: 'fra-1', serverPort: 8443, serverHopPorts: '20000-20100', serverMaxAccounts: 7 },
  })
  const trojan = await product.server({ ...trojanServer(), ...at, serverPort: 444, serverName: 'fra-2' })
  const tunnel = await product.tunnel({ tunnelIPV4: address, tunnelName: 'thr-1', tunnelPort: 443 })
  await product.server({ serverIPV4: unusedAddress() })
  await product.sql('UPDATE servers SET paused = true WHERE uuid <> $1', hysteria)
  await (await product.person({ points: 1_000 })).ask(newAccount, directAccount)
  await product.admin.ask(setHostPaused, { hostUUID: hysteria, hostPaused: true })
  await product.setRow('servers', hysteria, { last_seen_at: product.clock.now() })
  await product.setRow('servers', trojan, { state: 'failed' })

  const { machineSSHPort, services } = await read(address)
  expect(machineSSHPort).toBe(2222)
  expect(services.map(({ hostUUID }) => hostUUID).sort()).toEqual([hysteria, trojan, tunnel].sort())
  const service = (uuid: string) => services.find(({ hostUUID }) => hostUUID === uuid)
  expect(service(hysteria)).toEqual({
    ...{ hostUUID: hysteria, hostKind: 'server', hostName: 'fra-1', hostURL: sampleServer().serverURL },
    ...{ hostType: 'hysteria2-direct', hostState: 'ready', hostPaused: true, hostHealth: 'up' },
    ...{ hostAccounts: 1, hostMaxAccounts: 7 },
    ports: [
      { network: 'udp', first: 8443, last: 8443 },
      { network: 'udp', first: 20_000, last: 20_100 },
    ],
  })
  expect(service(trojan)).toMatchObject({
    ...{ hostType: 'trojan · wstunnel', hostState: 'failed', hostHealth: 'unknown' },
    ports: [{ network: 'tcp', first: 444, last: 444 }],
  })
  expect(service(tunnel)).toMatchObject({
    ...{ hostKind: 'tunnel', hostType: 'wstunnel', hostPaused: false },
    ports: [{ network: 'tcp', first: 443, last: 443 }],
  })
})

test('tunnels come to a server of type ssh by SSH, so it has no port of its own', async () => {
  const address = unusedAddress()
  await product.server({ ...trojanServer(), serverTunnelType: 'ssh', serverIPV4: address })
  expect((await read(address)).services).toMatchObject([{ hostType: 'trojan · ssh', ports: [] }])
})
