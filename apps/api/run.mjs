import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Node runs the TypeScript sources. With compiled code cached beside the packages, a start is as fast as that of a bundle.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'))

const [entry] = process.argv.splice(2, 1)
await import(`./src/${entry}.ts`)
