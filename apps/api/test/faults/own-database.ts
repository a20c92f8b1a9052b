import { openDatabase } from '../../src/db/database.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded/embedded.ts'
import { addressOf, query } from '../database.ts'
import { startProcess } from '../process.ts'
import { killProcessesOf } from './process-tree.ts'
import { expectExactly, furnish } from './purchases.ts'

export type OwnDatabase = Awaited<ReturnType<typeof ownDatabase>>

/** A PostgreSQL that the test starts and stops, while the product knows no more of it than its address. */
export async function ownDatabase(dataDir: string) {
  let embedded: EmbeddedDatabase = await startEmbedded({ dataDir })
  const { owner: connection } = embedded
  return {
    url: addressOf(connection),
    async start() {
      embedded = await startEmbedded({ dataDir })
    },
    stop: () => embedded.stop(),
    close: () => embedded.stop(),
    /** As in a power cut of the database's machine. */
    async crash() {
      await killProcessesOf(dataDir)
      await embedded.lost
    },
    ask: async (sql: string) => void (await query(connection, sql)),
    async expectExactly(names: readonly string[]) {
      const books = openDatabase(connection, { warn: () => {} })
      await expectExactly(books.db, names)
      await books.close()
    },
  }
}

/** The product on that database, with a reseller in it. */
export async function productOn({ url }: OwnDatabase) {
  const product = await startProcess({ DATABASE_URL: url })
  return { ...product, token: await furnish(product.url), close: () => product.kill('SIGTERM') }
}
