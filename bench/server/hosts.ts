import { randomUUID } from 'node:crypto'
import type { TunnelType, VpnType } from '@kelid/contract'
import type pg from 'pg'

export interface Hosts {
  /** The host of the account with this number; every other account is behind a tunnel. */
  of(index: number): { vpnType: VpnType; tunnelType: TunnelType | ''; server: string; tunnel: string | null }
}

const usualPairs = 5
const places = 100_000

const details = {
  serverVersion: '1.0',
  serverVPNVersion: '2.6',
  serverProtocol: '',
  serverExpireDate: '',
  serverIPV6: '',
  serverLocation: 'Frankfurt',
  serverDescription: '',
  serverProvider: '',
  serverTargetCountry: '',
  serverTargetOperator: '',
  serverSNIAddress: '',
  serverConfigName: '',
  serverConfigJson: '{}',
  serverHasSSHSecret: true,
  serverHasHostingSecret: false,
}

/** Adds ready servers of both kinds with tunnels, whose counters include the accounts that follow. */
export async function addHosts(client: pg.Client, accounts: number, pairs = usualPairs): Promise<Hosts> {
  const rows = Array.from({ length: pairs }, (_, pair) => ({
    direct: randomUUID(),
    tunnelled: randomUUID(),
    tunnel: randomUUID(),
    taken: (half: 0 | 1) => Math.ceil((accounts - (2 * pair + half)) / (2 * pairs)),
  }))
  for (const [pair, { direct, tunnelled, tunnel, taken }] of rows.entries()) {
    const server = `INSERT INTO servers (uuid, request_hash, name, type, vpn_type, tunnel_type, ipv4, url, port,
      max_accounts, accounts, country_id, details, state, set_by_hand, created_at)
      VALUES ($1, '', $2, $3, $4, $5, $6, $7, 8443, ${places}, $8, 276, $9, 'ready', true, now())`
    const name = `fra-${pair}`
    const address = `192.0.2.${pair}`
    const text = JSON.stringify(details)
    const url = `${name}.example.com`
    const hysteria = ['hysteria', 'hysteria2-direct', '']
    await client.query(server, [direct, name, ...hysteria, address, url, taken(0), text])
    const xray = ['xray', 'trojan', 'wstunnel']
    await client.query(server, [tunnelled, name, ...xray, address, url, taken(1), text])
    await client.query(
      `INSERT INTO tunnels (uuid, request_hash, name, version, type, creator_email, ipv4, url, port, max_accounts,
         accounts, state, set_by_hand, created_at)
       VALUES ($1, '', $2, '1.0', 'wstunnel', 'owner@example.com', $3, $4, 443, ${places}, $5, 'ready', true, now())`,
      [tunnel, `thr-${pair}`, `198.51.100.${pair}`, `thr-${pair}.example.com`, taken(1)],
    )
  }
  return {
    of(index) {
      const row = rows[Math.floor(index / 2) % pairs]
      if (!row) throw new RangeError(`no host for account ${index}`)
      return index % 2 === 0
        ? { vpnType: 'hysteria2-direct', tunnelType: '', server: row.direct, tunnel: null }
        : { vpnType: 'trojan', tunnelType: 'wstunnel', server: row.tunnelled, tunnel: row.tunnel }
    },
  }
}
