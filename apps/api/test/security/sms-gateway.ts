import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Sms {
  readonly mobile: string
  readonly code: string
  readonly text: string
}

/** A fake of an operator's SMS gateway, on loopback, which stores what it is to send. */
export async function openFakeGateway() {
  const sent: Sms[] = []
  const headers: IncomingHttpHeaders[] = []
  let status = 200
  let waiting: (() => void)[] | null = null
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      headers.push(request.headers)
      sent.push(JSON.parse(Buffer.concat(chunks).toString()))
      const answer = () => response.writeHead(status).end()
      if (waiting) waiting.push(answer)
      else answer()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`,
    sent,
    headers,
    /** The status of its answers from now on. */
    answer: (next: number) => {
      status = next
    },
    /** Leaves all requests unanswered until letGo. */
    holdBack: () => {
      waiting = []
    },
    letGo: () => {
      for (const answer of waiting ?? []) answer()
      waiting = null
    },
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
