import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { day } from '@kelid/contract'

type Fields = Record<string, unknown>

export const specUser = { userEmail: 'owner@kelid.test', userLevel: 6 }
export const specServer = {
  serverUUID: '22222222-2222-4222-8222-222222222222',
  serverURL: 'de1.example.com',
  serverType: 'xray',
}
export const specCountry = { countryId: 276, countryName: 'Germany', countryFlag: '/flags/de.svg' }
export const ansibleLog = 'TASK [core : install] ok'

class Refused extends Error {
  readonly httpCode: number
  readonly errorType: string

  constructor(httpCode: number, errorType: string) {
    super(errorType)
    this.httpCode = httpCode
    this.errorType = errorType
  }
}
const notFound = () => new Refused(404, 'RESOURCE_NOT_FOUND')

/** Every call of spec.md section 7, with exactly the reply fields of spec.md. */
function specCalls() {
  const accounts: Fields[] = []
  const find = ({ accountUUID }: Fields): Fields => {
    const account = accounts.find((one) => one.accountUUID === accountUUID)
    if (!account) throw notFound()
    return account
  }
  const expiringIn = (days: number) => ({
    accountDuration: days,
    accountExpireDate: new Date(Date.now() + days * day).toISOString(),
  })
  const calls: Record<string, (body: Fields) => object[]> = {
    'auth/signin': () => [{ token: 'a'.repeat(43) }],
    'auth/signup': () => [],
    'auth/getuser': () => [specUser],
    'auth/getusercreditbytoken': () => [{ userCredit: 1_250, userCreditDollars: 12.5, userTunnelCredit: 40 }],
    'auth/getuserdebtbytoken': () => [{ userDebt: 3.75 }],
    'servers/getservers': () => [specServer],
    'servers/countries': () => [specCountry],
    'servers/add': () => [],
    'servers/change': () => [],
    'servers/getansiblelog': () => [{ ansibleLog }],
    'tunnels/add': () => [],
    'tunnels/change': () => [],
    'tunnels/getansiblelog': () => [{ ansibleLog }],
    'accounts/getuseraccounts': () => {
      if (accounts.length === 0) throw notFound()
      return accounts
    },
    'accounts/getaccount': (body) => [find(body)],
    'accounts/new': ({ accountName, accountVPNType, accountTunnelEnabled, accountTunnelType, ...body }) => {
      accounts.push({
        accountUUID: '11111111-1111-4111-8111-111111111111',
        accountName,
        accountVPNType,
        accountTunnelEnabled,
        accountTunnelType,
        ...expiringIn(body.accountDuration as number),
        accountEnabled: true,
        accountAbuse: false,
        accountQRString: 'hysteria2://secret@192.0.2.1:443?sni=de1.example.com#ali_phone',
        server: { country: { countryName: 'Germany', countryFlag: '/flags/de.svg' } },
      })
      return []
    },
    'accounts/extendduration': (body) => [
      Object.assign(find(body), expiringIn(body.accountDuration as number)),
    ],
    'accounts/setenabled': (body) => [Object.assign(find(body), { accountEnabled: body.accountEnabled })],
    'accounts/delete': (body) => {
      accounts.splice(accounts.indexOf(find(body)), 1)
      return []
    },
  }
  return calls
}

async function bodyOf(request: IncomingMessage): Promise<Fields> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text ? JSON.parse(text) : {}
}

function send(response: ServerResponse, httpCode: number, content: object): void {
  response.writeHead(httpCode, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ response: { httpCode, ...content } }))
}

/** Serves the product's pages and files, without the config that its server adds. */
async function passOn(pages: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { accept, cookie, 'accept-language': language } = request.headers
  const headers = { accept: accept ?? '*/*', cookie: cookie ?? '', 'accept-language': language ?? '' }
  const reply = await fetch(pages + request.url, { headers, redirect: 'manual' })
  const type = reply.headers.get('content-type') ?? ''
  const kept = ['content-type', 'content-security-policy', 'location']
  for (const name of kept) {
    const value = reply.headers.get(name)
    if (value !== null) response.setHeader(name, value)
  }
  response.statusCode = reply.status
  const content = Buffer.from(await reply.arrayBuffer())
  response.end(
    type.includes('html') ? content.toString().replace(/(?<=id="config">).*?(?=<\/script>)/, '') : content,
  )
}

/** A server of spec.md only: every other path gets a 404 in an envelope. */
export async function startSpecServer(pages: string) {
  const calls = specCalls()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const isCall = path.startsWith('/api/') || path.startsWith('/config.json')
    const answer = async () => {
      if (!isCall) return passOn(pages, request, response)
      const call = calls[path.replace('/api/v1/', '')]
      try {
        if (!call || request.method !== 'POST') throw notFound()
        const detailedResponse = call(await bodyOf(request))
        send(response, 200, { status: 1, message: 'OK', detailedResponse })
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        const { httpCode, errorType } = error
        send(response, httpCode, {
          status: 0,
          message: errorType,
          detailedResponse: [],
          error: { errorContent: ['Nothing here'], errorAutoHide: true, errorType },
        })
      }
    }
    answer().catch((error) => response.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
