import { realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Where `pip install --user` has put Ansible, if anybody did. */
export const pythonUserBase = process.env.PYTHONUSERBASE ?? join(homedir(), '.local')

/** What a run may not see of this machine, and what it reads there nevertheless; `provisioning/confine.py` does it. */
export interface Confinement {
  covers: string[]
  keeps: string[]
}

/** Hides the product's data, its temporary files with the folders of other runs, and the home of its user. */
export const confinementOf = (dataDir: string, files: readonly string[]): Confinement => ({
  covers: [dataDir, tmpdir(), homedir()],
  keeps: [...files, join(pythonUserBase, 'bin'), join(pythonUserBase, 'lib')],
})

/** A command that runs confined with this plan. */
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
