import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages
const lock = read('package-lock.json')

/** Where Node finds a package that another one imports: the nearest folder node_modules upwards. */
function placeOf(name, from) {
  for (let folder = from; ; folder = folder.includes('/') ? dirname(folder) : '') {
    const place = `${folder && `${folder}/`}node_modules/${name}`
    if (!folder.endsWith('node_modules') && lock[place])
      return lock[place].link ? lock[place].resolved : place
    if (folder === '') return null
  }
}

const suits = (list, value) => !list || list.includes(value)
const isForThisMachine = ({ os, cpu, libc }) =>
  suits(os, process.platform) && suits(cpu, process.arch) && suits(libc, 'glibc')

/** What a workspace imports when it runs, as the lock file says: folder to entry. No developer's packages. */
export function packagesOf(...workspaces) {
  const places = new Set()
  const add = (place) => {
    if (places.has(place) || !isForThisMachine(lock[place])) return
    places.add(place)
    const { dependencies, optionalDependencies, peerDependencies } = lock[place]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = placeOf(name, place)
      if (found) add(found)
      else if (dependencies?.[name])
        throw new Error(`${place} needs ${name}, which the lock file does not have`)
    }
  }
  for (const workspace of workspaces) add(workspace)
  if (workspaces.includes('apps/api')) add(nodePlace)
  return new Map([...places].sort().map((place) => [place, lock[place]]))
}

export const nodePlace = `node_modules/node-linux-${process.arch}`

export const isFromRegistry = (place) => place.startsWith('node_modules/') || place.includes('/node_modules/')

/** Of Node itself only the program: headers and manuals are twice its size. */
const isNeeded = (place) => (file) => {
  const path = file.slice(join(root, place).length + 1)
  if (place === nodePlace) return /^(|package[.]json|LICENSE|bin|bin[/]node)$/.test(path)
  if (/(^|[/])node_modules([/]|$)/.test(path)) return false
  return !/[.](map|d[.][cm]?ts)$|(^|[/])[.](cache|bin)([/]|$)/.test(path)
}

/** npm packages contain no symbolic links; the database's package lists the ones that it needs. */
function makeLinks(folder) {
  const list = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')))
    if (!existsSync(join(folder, target))) symlinkSync(basename(source), join(folder, target))
}

export function fillPackages(packages, stage) {
  const installed = read('node_modules/.package-lock.json')
  for (const [place, { version }] of packages) {
    if (!isFromRegistry(place)) continue
    if (installed[place]?.version !== version || !existsSync(join(root, place)))
      throw new Error(`${place} is not installed as the lock file says: run "npm ci".`)
    mkdirSync(dirname(join(stage, place)), { recursive: true })
    cpSync(join(root, place), join(stage, place), {
      recursive: true,
      verbatimSymlinks: true,
      filter: isNeeded(place),
    })
    makeLinks(join(stage, place))
  }
  for (const folder of ['.bin', '@kelid']) mkdirSync(join(stage, 'node_modules', folder), { recursive: true })
  symlinkSync(`../${basename(nodePlace)}/bin/node`, join(stage, 'node_modules/.bin/node'))
  symlinkSync('../../packages/contract', join(stage, 'node_modules/@kelid/contract'))
}
