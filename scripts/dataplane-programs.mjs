import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kelid/programs')

/** Built by Go from its module registry, whose checksum database vouches for them. A new version is a new file. */
const programs = {
  xray: { module: 'github.com/xtls/xray-core/main', version: 'v1.260327.0', builtAs: 'main' },
  'sing-box': {
    module: 'github.com/sagernet/sing-box/cmd/sing-box',
    version: 'v1.13.2',
    tags: 'with_quic,with_utls',
  },
  pebble: { module: 'github.com/letsencrypt/pebble/v2/cmd/pebble', version: 'v2.8.0' },
}

const hasGo = () => spawnSync('go', ['version']).status === 0

function build(name, { module, version, tags, builtAs = name }, file) {
  if (!hasGo()) throw new Error(`${name} ${version} is built by Go, and Go is not installed`)
  console.log(`Building ${name} ${version} …`)
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'building-'))
  try {
    const args = ['install', '-trimpath', '-ldflags=-s -w', ...(tags ? ['-tags', tags] : [])]
    const { status } = spawnSync('nice', ['-n', '19', 'go', ...args, `${module}@${version}`], {
      stdio: 'inherit',
      env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '' },
    })
    if (status !== 0) throw new Error(`${name} ${version} could not be built`)
    renameSync(join(folder, builtAs), file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Name to path of the programs that the data plane's tests need; what is not there is built, which takes minutes, once. */
export function dataplanePrograms() {
  return Object.fromEntries(
    Object.entries(programs).map(([name, program]) => {
      const file = join(cache, `${name}-${program.version}`)
      if (!existsSync(file)) build(name, program, file)
      return [name, file]
    }),
  )
}

if (process.argv[1] === import.meta.filename) console.log(dataplanePrograms())
