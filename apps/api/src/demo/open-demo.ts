import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import { writeDurably } from '../db/embedded/files.ts'
import { randomPassword } from '../features/auth/first-start.ts'
import { hasUsers } from '../features/users/users.ts'
import { wasFilled } from './demo.store.ts'
import { fill } from './fill.ts'
import { shownLogins } from './people.ts'

export interface Login {
  readonly who: string
  readonly email: string
  readonly password: string
}

export async function openDemo(
  ctx: Context,
  { say, share }: { say: (line: string) => void; share?: number },
): Promise<Login[]> {
  const { KELID_DATA_DIR: dataDir } = ctx.config
  const file = join(dataDir, 'demo-logins.json')
  if (await wasFilled(ctx.db))
    return readFile(file, 'utf8')
      .then(JSON.parse)
      .catch((error: Error) => {
        throw new ConfigError(
          `The demo's logins cannot be read from ${file} (${error.message}). Remove ${dataDir} to fill the demo again.`,
        )
      })
  if (await hasUsers(ctx.db))
    throw new ConfigError(
      'This database has users of its own, and the demo fills only an empty one: set KELID_DATA_DIR to another folder, or DATABASE_URL to an empty database.',
    )
  say('Filling the demo; this takes a few seconds …')
  const logins = shownLogins.map((login) => ({ ...login, password: randomPassword() }))
  const passwordOf = (email: string) =>
    logins.find((login) => login.email === email)?.password ?? randomPassword()
  await ctx.db.transaction().execute(async (tx) => {
    await fill(ctx, tx, { ...(share !== undefined && { share }), passwordOf })
    // Written before the commit, because a demo without its logins is unusable.
    await writeDurably(file, `${JSON.stringify(logins, null, 2)}\n`, 0o600)
  })
  return logins
}
