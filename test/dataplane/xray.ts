import { writeFileSync } from 'node:fs'
import type { Account } from './accounts.ts'
import { openApp } from './customer.ts'
import { address } from './network.ts'
import { programs } from './programs.ts'

/** The core as an app, with a link of VLESS and REALITY. */
export function openXray({ accountQRString }: Pick<Account, 'accountQRString'>) {
  const link = new URL(accountQRString)
  const asked = (name: string) => link.searchParams.get(name)
  const user = { id: link.username, encryption: 'none', flow: asked('flow') ?? '' }
  const [path, mode, extra] = [asked('path'), asked('mode'), JSON.parse(asked('extra') ?? '{}')]
  const realitySettings = {
    ...{ serverName: asked('sni'), fingerprint: asked('fp'), publicKey: asked('pbk'), shortId: asked('sid') },
  }
  return openApp((listen) => {
    const file = `/mnt/xray-${listen}.json`
    const config = {
      log: { loglevel: 'error' },
      inbounds: [{ listen: address.customer, port: listen, protocol: 'socks' }],
      outbounds: [
        {
          protocol: 'vless',
          settings: { vnext: [{ address: link.hostname, port: Number(link.port), users: [user] }] },
          streamSettings: {
            ...{ network: asked('type'), security: 'reality', realitySettings },
            ...(asked('type') === 'xhttp' && { xhttpSettings: { path, mode, extra } }),
          },
        },
      ],
    }
    writeFileSync(file, JSON.stringify(config))
    return [programs.xray, 'run', '-c', file]
  })
}
