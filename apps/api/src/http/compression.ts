import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Below this a reply fits one packet anyway. */
const threshold = 1_024

/**
 * Replies only, and only for clients that ask: a list of accounts is a tenth of its size on the way. Tokens travel in
 * headers that no foreign page can send, so compressing beside them gives nothing away.
 */
export async function compressReplies(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    threshold,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 6 },
    globalDecompression: false,
  })
}
