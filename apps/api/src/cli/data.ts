import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { watchAudit } from '../db/backup/audit-in.ts'
import { writeBackup } from '../db/backup/backup.ts'
import { unsealedFormat } from '../db/backup/format.ts'
import { BackupRefusal } from '../db/backup/refusal.ts'
import { restoreBackup } from '../db/backup/restore.ts'
import { type KeyAtHand, readUsable } from '../db/backup/usable.ts'
import type { Db } from '../db/database.ts'
import { anchorAudit, faultOfEnd, findAuditFaults, record } from '../features/audit/audit.ts'
import { keyCheckOf } from '../features/auth/first-start.ts'
import { findImbalances } from '../features/credit/credit.ts'
import { systemClock } from '../lib/clock.ts'
import { createSeal, type Seal } from '../lib/seal.ts'
import { loadSecretKey } from '../lib/secret-key.ts'
import { byOperator, type Command, CommandFailure, type Desk } from './command.ts'
import { exists, refuseWithoutDatabase, withContext, withDatabase } from './installation.ts'

const unsealedFlag = 'unsealed'

export const backupCommand: Command = {
  name: 'backup',
  operands: ['FILE'],
  summary: 'write a backup to one file, also while the server runs',
  async run(desk, file = '') {
    await refuseWithoutDatabase(desk.config)
    const path = resolve(file)
    const key = await keyAtHand(desk.config)
    const ctx = { clock: systemClock, seal: key.seal }
    const { tables, bytes } = await withDatabase(desk.config, desk.note, 'owner', async ({ db, pool }) => {
      const backup = await writeBackup(pool, path, { now: systemClock.now(), key, signal: desk.signal })
      await db
        .transaction()
        .execute((tx) => record(ctx, tx, byOperator, 'backup', path, { bytes: backup.bytes }))
      return backup
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
  flags: [unsealedFlag],
  summary: 'fill an empty database from a backup',
  async run(desk, file = '') {
    const path = resolve(file)
    const key = await keyAtHand(desk.config)
    const isTrusted = desk.flags.has(unsealedFlag)
    const manifest = await readUsable(path, key, { mayBeUnsealed: isTrusted })
    const ctx = { clock: systemClock, seal: key.seal }
    await withDatabase(desk.config, desk.note, 'owner', ({ pool }) =>
      restoreBackup(pool, path, manifest, {
        say: desk.note,
        signal: desk.signal,
        confirm: async (db, { made, schema }) => {
          await anchorAudit(ctx, db, { isTrusted })
          await refuseUnsound(key.seal, db)
          await record(ctx, db, byOperator, 'restore', path, { made, schema })
        },
      }),
    )
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    desk.say(`The backup of ${manifest.made} was restored: ${manifest.tables.length} tables, ${rows} rows.`)
    desk.say('The ledger adds up and the audit log is unbroken. All users must sign in again.')
  },
}

export const checkCommand: Command = {
  name: 'check',
  operands: ['[FILE]'],
  flags: [unsealedFlag],
  summary: 'check the ledger and the audit log, or verify a backup',
  async run(desk, file) {
    if (file !== undefined) return checkFile(desk, resolve(file))
    const findings = await withContext(desk.config, desk.note, ({ seal, db }) => findingsIn(seal, db))
    for (const finding of findings) desk.say(finding)
    if (findings.length > 0) throw new CommandFailure(`Problems found: ${findings.length}.`)
    desk.say('The ledger adds up and the audit log is unbroken.')
  },
}

async function checkFile({ config, flags, say }: Desk, path: string): Promise<void> {
  const key = await keyAtHand(config)
  const { takeTable, found } = watchAudit()
  const { format, made } = await readUsable(path, key, { mayBeUnsealed: flags.has(unsealedFlag), takeTable })
  const fault = found.end || format !== unsealedFormat ? faultOfEnd(key.seal, found) : null
  if (fault) throw new BackupRefusal(`The content of the backup is invalid. Audit log: ${fault}.`)
  say(
    `The backup of ${made} is whole${format === unsealedFormat ? ', but nothing proves who wrote it.' : ' and unchanged, and its audit log ends where it should.'}`,
  )
}

async function findingsIn(seal: Seal, db: Db): Promise<string[]> {
  return [
    ...(await findImbalances(db)).map((finding) => `Ledger: ${finding}.`),
    ...(await findAuditFaults(seal, db)).map((fault) => `Audit log: ${fault}.`),
  ]
}

async function refuseUnsound(seal: Seal, db: Db): Promise<void> {
  const [first, ...more] = await findingsIn(seal, db)
  if (first)
    throw new BackupRefusal(
      `The content of the backup is invalid, and nothing was restored. ${first}${more.length > 0 ? ` There are ${more.length} more findings.` : ''}`,
    )
}

const keyFile = ({ KELID_DATA_DIR }: Config) => join(KELID_DATA_DIR, 'secret.key')

/** A start creates a missing key; here it must be the key of the existing database or backup. */
async function keyAtHand(config: Config): Promise<KeyAtHand> {
  if (!config.KELID_SECRET_KEY && !(await exists(keyFile(config))))
    throw new CommandFailure(
      `The secret key is missing. It is not in a backup: put the secret.key of the old installation into ${config.KELID_DATA_DIR} or set KELID_SECRET_KEY, then try again.`,
    )
  const seal = createSeal(await loadSecretKey(config.KELID_DATA_DIR, config.KELID_SECRET_KEY))
  return { seal, keyCheck: keyCheckOf(seal) }
}
