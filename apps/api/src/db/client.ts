import pg from 'pg'

/**
 * Where names without a schema are looked up, besides PostgreSQL's own. Temporary objects come last, or they would hide
 * tables.
 */
export const searchPath = 'public,pg_temp'
const pinPath = `-c search_path=${searchPath}`

const withPath = (options: string | null | undefined) => (options ? `${options} ${pinPath}` : pinPath)

/** An address has the last word over the other settings, so its options are extended too. */
function pinned({ connectionString, options, ...config }: pg.ClientConfig): pg.ClientConfig {
  if (!connectionString) return { ...config, options: withPath(options) }
  const url = new URL(connectionString)
  url.searchParams.set('options', withPath(url.searchParams.get('options') ?? options))
  return { ...config, connectionString: url.href }
}

/**
 * The only way this program connects. The search path is part of the connection, so that no setting of a role, database or
 * address lets somebody else's objects stand in for ours.
 */
export class Client extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    // The pool hides the password from code that lists its options, a copy of them included.
    const { password } = config
    super({ ...pinned(config), ...(password && { password }) })
    // If the connection is lost between two statements of a transaction, the next statement fails by itself.
    this.on('error', () => {})
  }
}
