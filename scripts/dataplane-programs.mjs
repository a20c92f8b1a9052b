import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kelid/programs')

/** Go builds them from its module registry, whose checksum database verifies them. Each version is a new file. */
const programs = {
  xray: { module: 'github.com/xtls/xray-core/main', version: 'v1.260327.0', builtAs: 'main' },
  'sing-box': {
    module: 'github.com/sagernet/sing-box/cmd/sing-box',
    version: 'v1.13.2',
    tags: 'with_quic,with_utls',
  },
  pebble: { module: 'github.com/letsencrypt/pebble/v2/cmd/pebble', version: 'v2.8.0' },
  // Its module has replace directives, so Go builds it only in its own folder.
  mihomo: { module: 'github.com/metacubex/mihomo', version: 'v1.19.27', inFolder: true },
}

const fileOf = (name) => join(cache, `${name}-${programs[name].version}`)

export const missingPrograms = (names) => names.filter((name) => !existsSync(fileOf(name)))

/** Copies the module that Go has verified. */
function copyModule(module, version, folder) {
  const output = execFileSync('go', ['mod', 'download', '-json', `${module}@${version}`], {
    encoding: 'utf8',
  })
  execFileSync('cp', ['-r', '--no-preserve=mode', JSON.parse(output).Dir, folder])
}

async function build(name) {
  const { module, version, tags, builtAs = name, inFolder = false } = programs[name]
  const folder = mkdtempSync(join(cache, 'building-'))
  const source = join(folder, 'source')
  try {
    if (inFolder) copyModule(module, version, source)
    const options = ['-trimpath', '-ldflags=-s -w', ...(tags ? ['-tags', tags] : [])]
    const args = inFolder
      ? ['build', ...options, '-o', join(folder, builtAs), '.']
      : ['install', ...options, `${module}@${version}`]
    const go = spawn('nice', ['-n', '19', 'go', ...args], {
      stdio: 'inherit',
      cwd: inFolder ? source : cache,
      env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '' },
    })
    const [code] = await once(go, 'exit')
    if (code !== 0) throw new Error(`${name} ${version} did not build`)
    renameSync(join(folder, builtAs), fileOf(name))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Paths of the data plane's test programs by name. Builds missing ones, two at a time. */
export async function dataplanePrograms(names) {
  const missing = missingPrograms(names)
  if (missing.length > 0) {
    console.log(`Building ${missing.join(', ')} with Go into ${cache}; this takes some minutes …`)
    mkdirSync(cache, { recursive: true })
    const next = async () => {
      for (let name = missing.shift(); name; name = missing.shift()) await build(name)
    }
    await Promise.all([next(), next()])
  }
  return Object.fromEntries(names.map((name) => [name, fileOf(name)]))
}

export const allPrograms = Object.keys(programs)

if (process.argv[1] === import.meta.filename) console.log(await dataplanePrograms(allPrograms))
