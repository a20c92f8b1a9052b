import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackage, isRoot } from './debian-package.mjs'

const versions = '/usr/lib/postgresql'

/** Newest installed PostgreSQL of Debian, or null. */
function find() {
  if (!existsSync(versions)) return null
  const newest = readdirSync(versions)
    .filter((version) => existsSync(join(versions, version, 'bin/postgres')))
    .sort((a, b) => Number(a) - Number(b))
    .at(-1)
  return newest ? join(versions, newest, 'bin') : null
}

function postgresUser() {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Runs `work` with the URL of a temporary cluster of the system's PostgreSQL, or with none where it is missing. */
export async function withSystemPostgres(work) {
  if (!find()) installPackage('postgresql')
  const bin = find()
  if (!bin) {
    console.log('\nThe package postgresql is missing: these tests run on the embedded PostgreSQL instead.')
    return work('')
  }
  const folder = mkdtempSync(join(tmpdir(), 'kelid-pg-'))
  const as = isRoot ? postgresUser() : {}
  if (isRoot) chownSync(folder, as.uid, as.gid)
  const data = join(folder, 'data')
  const run = (program, ...args) =>
    execFileSync(join(bin, program), args, { ...as, stdio: ['ignore', 'ignore', 'inherit'], cwd: folder })
  try {
    run('initdb', '-D', data, '-U', 'kelid', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync')
    // The cluster is temporary, so syncing to disk is unnecessary.
    const forgetful = '-c fsync=off -c full_page_writes=off'
    const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c max_connections=200 ${forgetful}`
    run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start')
    try {
      await work(`postgres://kelid@localhost/postgres?host=${encodeURIComponent(folder)}`)
    } finally {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
