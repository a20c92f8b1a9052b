/** Why a backup cannot be made or restored: one sentence for the operator, and nothing has been changed. */
export class BackupRefusal extends Error {
  override readonly name = 'BackupRefusal'
}

export const damaged = (how: string): BackupRefusal =>
  new BackupRefusal(`The backup is damaged: ${how}. Take another copy of it.`)
