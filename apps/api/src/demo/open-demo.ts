import { ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import { randomPassword } from '../features/auth/first-start.ts'
import { hasUsers } from '../features/users/users.ts'
import { wasFilled } from './demo.store.ts'
import { fill } from './fill.ts'
import { type Login, readLogins, writeLogins } from './logins.ts'
import { shownLogins } from './people.ts'

/** The demo that is there, or a new one in an empty database; one that belongs to anybody else is left alone. */
export async function openDemo(
  ctx: Context,
  { say, share }: { say: (line: string) => void; share?: number },
): Promise<Login[]> {
  const { KELID_DATA_DIR: dataDir } = ctx.config
  if (await wasFilled(ctx.db)) return readLogins(dataDir)
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
    // Before the data count: without its logins the demo would be locked.
    await writeLogins(dataDir, logins)
  })
  return logins
}
