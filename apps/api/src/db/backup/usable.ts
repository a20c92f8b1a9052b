import type { Seal } from '../../lib/seal.ts'
import { newestVersion } from '../migrate.ts'
import { type Manifest, macOf, unsealedFormat } from './format.ts'
import { readBackup, type TakeTable } from './read.ts'
import { BackupRefusal } from './refusal.ts'

export interface KeyAtHand {
  readonly seal: Seal
  readonly keyCheck: Buffer
}

export interface UsableOptions {
  readonly mayBeUnsealed?: boolean
  readonly migrations?: string
  readonly takeTable?: TakeTable
}

export async function readUsable(
  path: string,
  { seal, keyCheck }: KeyAtHand,
  { mayBeUnsealed = false, migrations, takeTable }: UsableOptions = {},
): Promise<Manifest> {
  const manifest = await readBackup(path, takeTable)
  if (manifest.keyCheck !== null && manifest.keyCheck !== keyCheck.toString('hex'))
    throw new BackupRefusal(
      'The backup was made under another secret key, and without that one nobody could open what is sealed in it. The key is not in the file: put the secret.key of the old installation into KELID_DATA_DIR or set KELID_SECRET_KEY, then restore again.',
    )
  if (manifest.format === unsealedFormat) {
    if (!mayBeUnsealed)
      throw new BackupRefusal(
        'The backup is of an early release that did not seal its files, so nothing shows whether somebody has changed it. If you trust the place where it was kept, say so with --unsealed.',
      )
  } else if (manifest.mac !== macOf(seal, manifest))
    throw new BackupRefusal(
      'The seal of the backup is wrong, so somebody has changed it since this installation wrote it. Use another copy.',
    )
  const newest = await newestVersion(migrations)
  if (manifest.schema > newest)
    throw new BackupRefusal(
      `The backup is of a newer release (its database is at version ${manifest.schema}, this program knows ${newest}): install that release first.`,
    )
  return manifest
}
