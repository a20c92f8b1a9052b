import type { VpnType } from '@kelid/contract'
import { parseMessage } from './core-messages.ts'

interface CoreAccount {
  readonly messageType: string
  readonly encode: (secret: string) => Uint8Array
  readonly secretIn: (message: Uint8Array) => string
  readonly client: (secret: string) => object
  /** Refusals in the access log that quote no customer text. Any other refusal may contain forged entries. */
  readonly harmlessRefusal: RegExp
}

const trojan = parseMessage<{ password: string }>('message Account { string password = 1; }')
const vless = parseMessage<{ id: string; flow: string }>(
  'message Account { string id = 1; string flow = 2; }',
)
const hysteria = parseMessage<{ auth: string }>('message Account { string auth = 1; }')

const never = /^(?!)/
const vision = 'xtls-rprx-vision'

const vlessAccount = (flow: string): CoreAccount => ({
  messageType: 'xray.proxy.vless.Account',
  encode: (secret) => vless.encode({ id: secret, flow }),
  secretIn: (message) => vless.decode(message).id,
  client: (secret) => ({ id: secret, flow }),
  harmlessRefusal:
    /^proxy\/vless\/encoding: invalid request (?:version|user id: [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
})

export const coreAccounts: Record<VpnType, CoreAccount> = {
  trojan: {
    messageType: 'xray.proxy.trojan.Account',
    encode: (secret) => trojan.encode({ password: secret }),
    secretIn: (message) => trojan.decode(message).password,
    client: (secret) => ({ password: secret }),
    harmlessRefusal: /^proxy\/trojan: not (?:trojan protocol|a valid user)$/,
  },
  'vless-reality': vlessAccount(vision),
  'vless-xhttp': vlessAccount(''),
  'hysteria2-direct': {
    messageType: 'xray.proxy.hysteria.account.Account',
    encode: (secret) => hysteria.encode({ auth: secret }),
    secretIn: (message) => hysteria.decode(message).auth,
    client: (secret) => ({ auth: secret }),
    harmlessRefusal: never,
  },
}
