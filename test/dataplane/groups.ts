import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Shell commands that put the shell into a control group of its own: units of two hosts must not meet in one. */
export function joinGroup(name: string): string {
  const trees = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified', '/sys/fs/cgroup']
  const groups = trees
    .filter((tree) => existsSync(join(tree, 'cgroup.procs')))
    .map((tree) => join(tree, name))
  for (const group of groups) mkdirSync(group, { recursive: true })
  return groups.map((group) => `echo $$ > ${group}/cgroup.procs`).join(' && ')
}
