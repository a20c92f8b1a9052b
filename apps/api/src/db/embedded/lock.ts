import { readdir, readlink, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts'
import { codeOf, EmbeddedUnavailable } from './unavailable.ts'

export interface Claim extends ProcessIdentity {
  socketDir: string
}

export interface Lock {
  release(): Promise<void>
}

const prefix = 'postgres.lock.'
const nobody: Claim = { pid: 0, started: '', socketDir: '' }

/**
 * The lock is a symlink whose target is the claim, because creating it is atomic and only one process succeeds. Each
 * holder creates the next number, and the highest number counts. It is never removed, so a slow process cannot
 * replace the holder that came after the dead one it saw.
 */
export async function acquireLock(home: string, socketDir: string): Promise<Lock> {
  const claim: Claim = { ...identify(process.pid), socketDir }
  for (;;) {
    const last = await latest(home)
    if (last.claim && isAlive(last.claim))
      throw new EmbeddedUnavailable(
        `The database in ${home} is in use by process ${last.claim.pid}: stop that process first, or set KELID_DATA_DIR to another folder.`,
      )
    const number = last.number + 1
    if (!(await claimNumber(home, number, claim))) continue
    if ((await latest(home)).number === number) {
      await removeBelow(home, number)
      return { release: () => release(home, number) }
    }
    await rm(join(home, prefix + number), { force: true })
  }
}

export async function lockHolder(home: string): Promise<Claim | null> {
  const { claim } = await latest(home)
  return claim && isAlive(claim) ? claim : null
}

async function release(home: string, number: number): Promise<void> {
  await claimNumber(home, number + 1, nobody)
  await removeBelow(home, number + 1)
}

async function claimNumber(home: string, number: number, claim: Claim): Promise<boolean> {
  try {
    await symlink(JSON.stringify(claim), join(home, prefix + number))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function latest(home: string): Promise<{ number: number; claim: Claim | null }> {
  for (;;) {
    const number = Math.max(0, ...(await numbers(home)))
    if (number === 0) return { number, claim: null }
    try {
      return { number, claim: JSON.parse(await readlink(join(home, prefix + number))) }
    } catch (error) {
      // ENOENT: a higher number has appeared. Anything else is not a claim of ours.
      if (codeOf(error) !== 'ENOENT') return { number, claim: null }
    }
  }
}

async function removeBelow(home: string, number: number): Promise<void> {
  for (const old of await numbers(home)) if (old < number) await rm(join(home, prefix + old), { force: true })
}

async function numbers(home: string): Promise<number[]> {
  const names = await readdir(home)
  return names
    .filter((name) => /^postgres\.lock\.\d+$/.test(name))
    .map((name) => Number(name.slice(prefix.length)))
}
