import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { isFromRegistry, packagesOf } from './package-modules.mjs'

const purlName = (name) => name.split('/').map(encodeURIComponent).join('/')

const component = (name, version, purl, rest) => ({
  type: 'library',
  'bom-ref': purl,
  name,
  version,
  purl,
  ...rest,
})

function npmComponents() {
  // The client and the agent are bundled: their packages are in the archive without a folder of their own.
  const packages = packagesOf('apps/api', 'apps/agent', 'apps/web')
  return [...packages]
    .filter(([place]) => isFromRegistry(place))
    .map(([place, entry]) => {
      const name = entry.name ?? place.split('node_modules/').at(-1)
      const [algorithm, digest] = entry.integrity.split('-')
      return component(name, entry.version, `pkg:npm/${purlName(name)}@${entry.version}`, {
        hashes: [
          { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') },
        ],
        ...(entry.license && { licenses: [{ expression: entry.license }] }),
      })
    })
}

const pythonComponents = (libraries) =>
  libraries.map(({ name, version, sha256 }) =>
    component(name, version, `pkg:pypi/${name}@${version}`, {
      hashes: [{ alg: 'SHA-256', content: sha256 }],
    }),
  )

/** Go writes the modules of a program into it. */
function goComponents(core) {
  const lines = execFileSync('go', ['version', '-m', core], { encoding: 'utf8' }).split('\n')
  return lines
    .map((line) => /^\t(mod|dep)\t(\S+)\t(v\S+)/.exec(line))
    .filter(Boolean)
    .map(([, , name, version]) => component(name, version, `pkg:golang/${name}@${version}`, {}))
}

/** CycloneDX, of everything in the archive that is not ours. */
export function billOfMaterials({ version, commit, seconds, python, core }) {
  const digest = createHash('sha256').update(`kelid ${version} ${commit} ${process.arch}`).digest('hex')
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-5$3-8$4-$5')
  const all = [...npmComponents(), ...pythonComponents(python), ...goComponents(core)]
  const distinct = new Map(all.map((one) => [one.purl, one]))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString(),
      component: { type: 'application', 'bom-ref': 'kelid', name: 'kelid', version },
    },
    components: [...distinct.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  }
}
