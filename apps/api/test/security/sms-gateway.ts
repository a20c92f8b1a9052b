import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Sms {
  readonly mobile: string
  readonly code: string
  readonly text: string
}

export interface FakeGateway {
  readonly url: string
  readonly sent: Sms[]
  readonly headers: IncomingHttpHeaders[]
  /** What it answers from now on. */
  answer(status: number): void
  /** It takes what it is told and answers nobody until it is let go. */
  holdBack(): void
  letGo(): void
  close(): Promise<void>
}

/** A fake of an operator's SMS gateway, on loopback: it keeps what it is told to send. */
export async function openFakeGateway(): Promise<FakeGateway> {
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
    answer: (next) => {
      status = next
    },
    holdBack: () => {
      waiting = []
    },
    letGo: () => {
      for (const answer of waiting ?? []) answer()
      waiting = null
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
