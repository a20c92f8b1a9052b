/** Why a backup cannot be made or restored, as a sentence for the operator. Nothing has been changed. */
export class BackupRefusal extends Error {
  override readonly name = 'BackupRefusal'
}

export const damagedBackup = (how: string): BackupRefusal =>
  new BackupRefusal(`The backup is damaged: ${how}. Use another copy.`)
