import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withoutAnsible } from './ansible.fixture.ts'
import { findProgram } from './playbook.ts'

const program = '/usr/sbin/sshd'

const answers = (address: string, port = 22) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, address)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

export const withoutSshd = async (address: string): Promise<string> =>
  withoutAnsible ||
  (process.getuid?.() !== 0 && ' (left out: only root can listen on port 22)') ||
  (!existsSync(program) && ' (left out: sshd is not installed)') ||
  (!findProgram('sshpass') && ' (left out: sshpass is not installed)') ||
  ((await answers(address)) && ` (left out: somebody listens on ${address}:22)`) ||
  ''

export type Sshd = ReturnType<typeof createSshd>

/** At port 22 unless the address names another one. */
export function createSshd(folder: string, listens: string, ...settings: string[]) {
  const [address = '', port = '22'] = listens.split(':')
  let daemon: ChildProcess | undefined
  const host = join(folder, 'host')
  const authorized = join(folder, 'authorized')
  const config = join(folder, 'config')
  const newHostKey = () => {
    for (const file of [host, `${host}.pub`]) rmSync(file, { force: true })
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', host])
  }
  mkdirSync(folder, { recursive: true })
  mkdirSync('/run/sshd', { recursive: true })
  newHostKey()
  writeFileSync(authorized, '')
  writeFileSync(
    config,
    [
      `ListenAddress ${address}:${port}`,
      `HostKey ${host}`,
      `AuthorizedKeysFile ${authorized}`,
      'StrictModes no',
      'PermitRootLogin yes',
      'PasswordAuthentication yes',
      'UsePAM no',
      'PidFile none',
      ...settings,
    ].join('\n'),
  )
  return {
    authorized,
    hostKey: () => readFileSync(`${host}.pub`, 'utf8').split(' ').slice(0, 2).join(' '),
    newHostKey,
    async start() {
      daemon = spawn(program, ['-D', '-e', '-f', config], { stdio: 'ignore' })
      while (!(await answers(address, Number(port)))) await sleep(50)
    },
    async stop() {
      if (!daemon) return
      daemon.kill('SIGKILL')
      await once(daemon, 'exit')
      daemon = undefined
    },
  }
}
