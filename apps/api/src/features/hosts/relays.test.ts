import { randomUUID } from 'node:crypto'
import { addTunnel, changeServer, getServer, getTunnel, newRealityKeys, removeHost } from '@kelid/contract'
import { describe, expect, test } from 'vitest'
import { openProduct } from '../../../test/product.ts'
import { sampleOf, sampleTunnel, trojanServer } from '../../../test/sample-hosts.ts'
import { ownAddress, useStandIn } from '../provisioning/ansible.fixture.ts'
import { publicKeyOf } from './reality.fixture.ts'
import { refreshRelays } from './relays.ts'

describe('servers and tunnels that know each other', () => {
  const { shop, ansible } = useStandIn()

  const waiting = () =>
    shop.product.sql(`SELECT * FROM provision_runs WHERE state = 'queued' ORDER BY created_at`)
  /** Executes runs until none is queued, and returns the hosts in order. */
  async function settle(): Promise<string[]> {
    const done: string[] = []
    for (let runs = await waiting(); runs.length > 0; runs = await waiting()) {
      for (const { uuid, subject_uuid } of runs) {
        await shop.run(uuid, {})
        done.push(subject_uuid)
      }
      if (done.length > 20) throw new Error(`it never ends: ${done}`)
    }
    return done
  }
  // biome-ignore lint/suspicious/noExplicitAny: it is looked at by its names
  const description = (uuid: string): any => ansible.description(uuid)
  const newTunnel = async (tunnelType: 'ssh' | 'wstunnel') => {
    const tunnelUUID = randomUUID()
    const body = { ...sampleTunnel(), tunnelUUID, tunnelType }
    await shop.product.admin.ask(addTunnel, body)
    return tunnelUUID
  }
  const newServer = async (name: string, serverTunnelType: 'ssh' | 'wstunnel') => {
    const serverURL = `${name}.example.com`
    const server = { ...trojanServer(), serverTunnelType, serverURL, serverIPV4: ownAddress }
    return (await shop.server(server)).serverUUID
  }

  test('a server that is added, moved or removed updates the tunnels of its type, which keep serving, and no more runs follow', async () => {
    const { product } = shop
    const { admin } = product
    const tunnel = await newTunnel('wstunnel')
    expect(await settle()).toEqual([tunnel])
    expect(description(tunnel).tunnel).toMatchObject({ type: 'wstunnel', port: 443, exits: [] })
    const { source, name } = description(tunnel).certificate
    expect([source, name]).toEqual(['acme', sampleTunnel().tunnelURL])

    const first = await newServer('one', 'wstunnel')
    expect(await settle()).toEqual([first, tunnel])
    const second = await newServer('two', 'wstunnel')
    await shop.run((await waiting())[0]?.uuid ?? '', {})
    expect(await waiting()).toMatchObject([{ subject_uuid: tunnel, keeps_state: true }])
    expect((await admin.ask(getTunnel, { tunnelUUID: tunnel })).tunnelState).toBe('ready')
    await settle()
    const { server } = description(first)
    expect(description(tunnel).tunnel.exits).toEqual(
      [first, second].sort().map((uuid) =>
        expect.objectContaining({
          uuid,
          name: uuid === first ? 'one.example.com' : 'two.example.com',
          ipv4: ownAddress,
          port: 8443,
          slot: uuid === first ? 1 : 2,
        }),
      ),
    )
    const { ws } = server
    expect(description(tunnel).tunnel.exits).toContainEqual(
      expect.objectContaining({ uuid: first, ws_path: ws.path, ws_id: ws.id }),
    )
    expect(await refreshRelays(product.ctx)).toBe(0)

    await admin.ask(removeHost, { hostUUID: first })
    await settle()
    expect(description(tunnel).tunnel.exits).toMatchObject([{ uuid: second, slot: 2 }])
    const third = await newServer('three', 'wstunnel')
    await settle()
    const slots = description(tunnel).tunnel.exits.map(({ uuid, slot }: { uuid: string; slot: number }) => [
      uuid,
      slot,
    ])
    expect(Object.fromEntries(slots)).toEqual({ [second]: 2, [third]: 1 })
  })

  test('a server with REALITY has a key for tunnels over WebSocket, whose other half tunnels know, and which customers’ new keys leave alone', async () => {
    const { admin } = shop.product
    const tunnel = await newTunnel('wstunnel')
    const { server: sample } = sampleOf('vless-reality')
    const wanted = { ...sample, serverTunnelActive: true, serverTunnelType: 'wstunnel' } as const
    const names = { serverURL: 'reality.example.com', serverRealityTarget: 'www.shop.example' }
    const { serverUUID } = await shop.server({ ...wanted, ...names, serverIPV4: ownAddress })
    await settle()
    const exitOf = () =>
      description(tunnel).tunnel.exits.find(({ uuid }: { uuid: string }) => uuid === serverUUID)
    const { ws, reality } = description(serverUUID).server
    expect(description(serverUUID).certificate).toBe(undefined)
    expect(exitOf()).toMatchObject({
      name: 'www.shop.example',
      ws_id: ws.id,
      reality: { public: publicKeyOf(ws.private), short_id: ws.short_id },
    })
    expect(JSON.stringify(description(tunnel))).not.toContain(ws.private)
    expect([ws.private, ws.short_id]).not.toEqual([reality.keys[0].private, reality.keys[0].short_id])
    const before = exitOf()
    await admin.ask(newRealityKeys, { serverUUID })
    expect(await settle(), 'tunnels have nothing to learn').toEqual([serverUUID])
    expect(description(serverUUID).server.ws).toEqual(ws)
    expect(exitOf()).toEqual(before)
  })

  test('with ssh both ends are updated, and no more runs follow', async () => {
    const tunnel = await newTunnel('ssh')
    await settle()
    const server = await newServer('four', 'ssh')
    await settle()
    const late = await newTunnel('ssh')
    expect(await settle()).toEqual([late, server])
    const keys = description(server).server.relay_keys as string[]
    expect(keys.map((key) => key.split(' ').at(-1)).sort()).toEqual(
      [tunnel, late].map((uuid) => `tunnel:${uuid}`).sort(),
    )
    expect(description(late).tunnel.key).toContain('BEGIN OPENSSH PRIVATE KEY')
    expect(description(late).tunnel.exits).toMatchObject([{ uuid: server, slot: 1 }])
  })

  test('a tunnel gets more SSH connections to a server with many accounts, by an upkeep run, and keeps them', async () => {
    const { product } = shop
    const tunnel = await newTunnel('ssh')
    await settle()
    const server = await newServer('busy', 'ssh')
    await settle()
    const connections = () =>
      description(tunnel).tunnel.exits.find(({ uuid }: { uuid: string }) => uuid === server).connections
    expect(connections()).toBe(4)
    const addAccounts = (count: number) =>
      product.sql(
        `INSERT INTO accounts (uuid, user_id, name, vpn_type, tunnel_type, server_uuid, tunnel_uuid, expires_at, enabled, secrets,
           subscription_hash, created_at)
         SELECT gen_random_uuid(), (SELECT min(id) FROM users), 'a' || n, 'trojan', 'ssh', $1, $2, now(), true, 'x',
           sha256(gen_random_uuid()::text::bytea), now() FROM generate_series(1, $3) n`,
        ...[server, tunnel, count],
      )
    const connectionsAfter = async (count: number) => {
      await addAccounts(count)
      await refreshRelays(product.ctx)
      const runs = await settle()
      return [runs, connections()]
    }
    expect(await connectionsAfter(400)).toEqual([[], 4])
    expect(await connectionsAfter(1)).toEqual([[tunnel], 5])
    expect(await connectionsAfter(2_000)).toEqual([[tunnel], 12])
    await product.sql('DELETE FROM accounts WHERE server_uuid = $1', server)
    await product.sql(`UPDATE tunnels SET told = '\\x00' WHERE uuid = $1`, tunnel)
    await refreshRelays(product.ctx)
    expect([await settle(), connections()]).toEqual([[tunnel], 12])
  })

  test('tunnels lead to where a server was until it is set up at its new address', async () => {
    const { admin } = shop.product
    const tunnel = await newTunnel('wstunnel')
    const server = await newServer('five', 'wstunnel')
    await settle()
    shop.product.clock.advance(1_000)
    const move = { serverUUID: server, serverIPV4: '127.0.0.1', countryId: 528 }
    await admin.ask(changeServer, move)
    expect(await refreshRelays(shop.product.ctx)).toBe(0)
    await settle()
    expect((await admin.ask(getServer, { serverUUID: server })).serverState).toBe('ready')
    const exit = description(tunnel).tunnel.exits.find((one: { uuid: string }) => one.uuid === server)
    expect(exit).toMatchObject({ ipv4: '127.0.0.1' })
  })
})

test('hosts that were set up by hand are not provisioned', async () => {
  const product = await openProduct()
  await product.server(trojanServer())
  await product.tunnel()
  await product.tunnel({ tunnelType: 'ssh' })
  expect(await refreshRelays(product.ctx)).toBe(0)
  await product.close()
})
