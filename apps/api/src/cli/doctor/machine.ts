import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Config } from '../../config.ts'
import { coreDirOf, listCores } from '../../features/provisioning/core-store.ts'
import { findProgram } from '../../features/provisioning/playbook.ts'
import { type Finding, fine, problem } from './finding.ts'

const GB = 2 ** 30
const leastFree = 2 * GB

export async function examineDisk({ KELID_DATA_DIR }: Config): Promise<Finding[]> {
  const disk = await statfs(KELID_DATA_DIR).catch(() => null)
  if (!disk) return [problem(`There is no folder ${KELID_DATA_DIR}: start the server once.`)]
  const free = disk.bavail * disk.bsize
  const text = `${(free / GB).toFixed(1)} GB are free for ${KELID_DATA_DIR}`
  return [free < leastFree ? problem(`${text}: a full disk stops the database.`) : fine(`${text}.`)]
}

/** Codes of the second factor, certificates and audit log depend on the right time. */
export async function examineClock(): Promise<Finding[]> {
  if (!findProgram('timedatectl')) return []
  const answer = await promisify(execFile)('timedatectl', ['show', '--property=NTPSynchronized', '--value'])
    .then(({ stdout }) => stdout.trim())
    .catch(() => '')
  if (answer === '') return []
  return [
    answer === 'yes'
      ? fine('The clock is synchronized.')
      : problem('The clock is not synchronized: install systemd-timesyncd or chrony.'),
  ]
}

const programs = [
  { name: 'ansible-playbook', package: 'ansible-core', without: 'no host can be set up' },
  { name: 'python3', package: 'python3', without: 'no host can be set up' },
  { name: 'ssh', package: 'openssh-client', without: 'no host can be reached' },
  { name: 'sshpass', package: 'sshpass', without: 'hosts with a password cannot be reached' },
]

export async function examinePrograms(config: Config): Promise<Finding[]> {
  const missing = programs
    .filter(({ name }) => !findProgram(name))
    .map((one) =>
      problem(`The program ${one.name} is missing, and ${one.without}: install the package ${one.package}.`),
    )
  const cores = await listCores(coreDirOf(config)).catch(() => [])
  const core =
    cores.length > 0
      ? fine(`The store has ${cores.length === 1 ? 'one core' : `${cores.length} cores`} for hosts.`)
      : problem('The store has no core, so no host can be set up: use "core add" or "core build".')
  return [
    ...missing,
    ...(missing.length === 0 ? [fine('The programs that set up hosts are installed.')] : []),
    core,
  ]
}
