import { execFile } from 'node:child_process'
import { access, constants, readFile } from 'node:fs/promises'
import { EmbeddedUnavailable } from './unavailable.ts'

export type Account = { name: string; uid: number; gid: number } | null

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** PostgreSQL refuses to run as root, so root uses an account that owns nothing else. */
export async function chooseAccount(): Promise<Account> {
  if (!isRoot()) return null
  const accounts = await readAccounts()
  const account = accounts.find((a) => a.name === 'postgres') ?? accounts.find((a) => a.name === 'nobody')
  if (account) return account
  throw new EmbeddedUnavailable(
    'PostgreSQL refuses to run as root and this system has no user "postgres" or "nobody": start Kelid as another user, or set DATABASE_URL.',
  )
}

export async function accountOf(owner: { uid: number; gid: number }): Promise<Account> {
  if (!isRoot()) return null
  const account = (await readAccounts()).find((a) => a.uid === owner.uid)
  return { name: account?.name ?? String(owner.uid), uid: owner.uid, gid: owner.gid }
}

async function readAccounts() {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((a) => a.name && a.uid > 0 && Number.isInteger(a.gid))
}

export interface Outcome {
  code: number | string
  output: string
}

/** `code` is the exit code or the reason why the command did not start. */
export function runAs(account: Account, command: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(command, args, spawnOptions(account), (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? 'killed') : 0, output: (stdout + stderr).trim() }),
    )
  })
}

/** Asks the system, because mode bits do not show access lists. */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  if (!account)
    return access(folder, constants.X_OK).then(
      () => true,
      () => false,
    )
  return (await runAs(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder])).code === 0
}

/** An empty environment: PG* variables would change the server, and it must not get the product's secrets. */
export function spawnOptions(account: Account) {
  return {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    ...(account && { uid: account.uid, gid: account.gid }),
  }
}
