import pg from 'pg'

/** Temporary objects come last, otherwise they would hide tables. */
export const searchPath = 'public,pg_temp'
const pinPath = `-c search_path=${searchPath}`

const withPath = (options: string | null | undefined) => (options ? `${options} ${pinPath}` : pinPath)

/** A connection string overrides other settings, so its options are extended too. */
function withSearchPath({ connectionString, options, ...config }: pg.ClientConfig): pg.ClientConfig {
  if (!connectionString) return { ...config, options: withPath(options) }
  const url = new URL(connectionString)
  url.searchParams.set('options', withPath(url.searchParams.get('options') ?? options))
  return { ...config, connectionString: url.href }
}

/**
 * The only way this program connects. The search path is part of the connection, so that no setting of a role,
 * database or connection string puts foreign objects in front of ours.
 */
export class Client extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    // The pool makes the password non-enumerable, so a copy of the options loses it.
    const { password } = config
    super({ ...withSearchPath(config), ...(password && { password }) })
    // The next statement of the transaction reports a lost connection.
    this.on('error', () => {})
  }
}
