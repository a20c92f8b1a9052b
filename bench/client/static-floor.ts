import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync } from 'node:zlib'
import { languageFacts } from '@kelid/contract'
import type { Screen } from './screens.ts'

export interface Floor {
  readonly url: string
  stop(): Promise<void>
}

/** Only the text of a prerendered page, without styles, scripts and fonts: a lower bound for the paint. */
export const textOnly = (html: string, { language }: Screen): string => {
  const body = /<div id="root">(.*?)<\/div>(?=<script|<\/body)/s.exec(html)?.[1]
  if (!body) throw new Error('The page has no prerendered text to compare with')
  const text = body.replaceAll(/<svg.*?<\/svg>/gs, '').replaceAll(/ (?:class|style|id)="[^"]*"/g, '')
  const direction = languageFacts[language].dir
  return `<!doctype html><html lang="${language}" dir="${direction}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Kelid</title>${text}`
}

export interface StaticFile {
  readonly type: string
  readonly text: string
}

/** Static files by path, compressed once. */
export async function startFloor(files: ReadonlyMap<string, StaticFile>): Promise<Floor> {
  const compressed = new Map(
    [...files].map(([path, { type, text }]) => [path, { type, body: brotliCompressSync(text) }]),
  )
  const server = createServer((request, reply) => {
    const file = compressed.get(request.url ?? '')
    if (!file) return reply.writeHead(204).end()
    reply.writeHead(200, { 'content-type': file.type, 'content-encoding': 'br' }).end(file.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
