import { realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Where `pip install --user` may have installed Ansible. */
export const pythonUserBase = process.env.PYTHONUSERBASE ?? join(homedir(), '.local')

/** Paths that a run must not see, and those it may read nevertheless; `provisioning/confine.py` applies it. */
export interface Confinement {
  covers: string[]
  keeps: string[]
}

/** Hides the product's data, its temporary files with other runs' folders, and its user's home. */
export const confinementOf = (dataDir: string, files: readonly string[]): Confinement => ({
  covers: [dataDir, tmpdir(), homedir()],
  keeps: [...files, join(pythonUserBase, 'bin'), join(pythonUserBase, 'lib')],
})

export function confined(
  script: string[],
  { covers, keeps }: Confinement,
  folder: string,
  command: [program: string, ...string[]],
): string[] {
  // A virtual environment has its libraries beside its programs.
  const installation = dirname(dirname(realpathSync(command[0])))
  return [...script, JSON.stringify({ folder, covers, keeps: [...keeps, installation] }), ...command]
}
