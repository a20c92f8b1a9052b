import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const trees = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified', '/sys/fs/cgroup']

/** Control groups outlive tests. Removes those of ended runs, whose names are PREFIX, the process and anything. */
export function removeGroups(prefix) {
  for (const tree of trees.filter(existsSync))
    for (const group of readdirSync(tree).filter((name) => name.startsWith(`${prefix}-`))) {
      const [run] = group.slice(prefix.length + 1).split('-')
      if (run === String(process.pid) || !existsSync(`/proc/${run}`))
        spawnSync('find', [join(tree, group), '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'])
    }
}
