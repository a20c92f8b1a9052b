import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { writeBackup } from '../db/backup/backup.ts'
import { BackupRefusal } from '../db/backup/refusal.ts'
import { readUsable, restoreBackup } from '../db/backup/restore.ts'
import type { Db } from '../db/database.ts'
import { findBrokenAudit, record } from '../features/audit/audit.ts'
import { keyCheckOf } from '../features/auth/first-start.ts'
import { findImbalances } from '../features/credit/credit.ts'
import { systemClock } from '../lib/clock.ts'
import { createSeal } from '../lib/seal.ts'
import { loadSecretKey } from '../lib/secret-key.ts'
import { byOperator, type Command, CommandFailure } from './command.ts'
import { exists, refuseWithoutDatabase, withContext, withDatabase } from './installation.ts'

const ctx = { clock: systemClock }

export const backupCommand: Command = {
  name: 'backup',
  operands: ['FILE'],
  says: 'write everything into one file, also while the server runs',
  async run(desk, given = '') {
    await refuseWithoutDatabase(desk.config)
    const path = resolve(given)
    const { tables, bytes } = await withDatabase(desk.config, desk.note, async ({ db, pool }) => {
      const made = await writeBackup(pool, path, { now: systemClock.now(), signal: desk.signal })
      await db
        .transaction()
        .execute((tx) => record(ctx, tx, byOperator, 'backup', path, { bytes: made.bytes }))
      return made
    })
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    desk.say(`The backup is in ${path}: ${tables.length} tables, ${rows} rows, ${bytes} bytes.`)
    desk.say(
      desk.config.KELID_SECRET_KEY
        ? 'The secret key is not in it. Keep the value of KELID_SECRET_KEY apart from it: without the key the backup cannot be restored.'
        : `The secret key is not in it. Keep a copy of ${keyFile(desk.config)} apart from it: without the key the backup cannot be restored.`,
    )
  },
}

export const restoreCommand: Command = {
  name: 'restore',
  operands: ['FILE'],
  says: 'fill an empty database from a backup',
  async run(desk, given = '') {
    const path = resolve(given)
    const manifest = await readUsable(path, await keyCheckAtHand(desk.config))
    await withDatabase(desk.config, desk.note, ({ pool }) =>
      restoreBackup(pool, path, manifest, {
        say: desk.note,
        signal: desk.signal,
        confirm: async (db, { made, schema }) => {
          await refuseUnsound(db)
          await record(ctx, db, byOperator, 'restore', path, { made, schema })
        },
      }),
    )
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    desk.say(`The backup of ${manifest.made} was restored: ${manifest.tables.length} tables, ${rows} rows.`)
    desk.say('The ledger adds up and the audit log is unbroken. Everybody signs in again.')
  },
}

export const checkCommand: Command = {
  name: 'check',
  operands: [],
  says: 'see whether the ledger adds up and the audit log is unbroken',
  async run(desk) {
    const findings = await withContext(desk.config, desk.note, ({ db }) => findingsIn(db))
    for (const finding of findings) desk.say(finding)
    if (findings.length > 0) throw new CommandFailure(`Something is wrong: ${findings.length} findings.`)
    desk.say('The ledger adds up and the audit log is unbroken.')
  },
}

async function findingsIn(db: Db): Promise<string[]> {
  const broken = await findBrokenAudit(db)
  return [
    ...(await findImbalances(db)).map((finding) => `Ledger: ${finding}.`),
    ...(broken === null ? [] : [`Audit log: line ${broken} does not follow from the one before it.`]),
  ]
}

async function refuseUnsound(db: Db): Promise<void> {
  const [first, ...more] = await findingsIn(db)
  if (first)
    throw new BackupRefusal(
      `What the backup holds is not sound, and nothing of it was kept. ${first}${more.length > 0 ? ` There are ${more.length} more findings.` : ''}`,
    )
}

const keyFile = ({ KELID_DATA_DIR }: Config) => join(KELID_DATA_DIR, 'secret.key')

/** A start makes a key where there is none; a restore needs the one that the backup was made under. */
async function keyCheckAtHand(config: Config): Promise<Buffer> {
  if (!config.KELID_SECRET_KEY && !(await exists(keyFile(config))))
    throw new CommandFailure(
      `The secret key is missing. It is not in a backup: put the secret.key of the old installation into ${config.KELID_DATA_DIR} or set KELID_SECRET_KEY, then restore again.`,
    )
  return keyCheckOf(createSeal(await loadSecretKey(config.KELID_DATA_DIR, config.KELID_SECRET_KEY)))
}
