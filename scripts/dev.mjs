import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const watched = ['apps/api/src', 'apps/api/migrations', 'packages/contract/src']

/** The server restarts after every change; the client updates the open page. */
const server = [
  ...watched.map((folder) => `--watch-path=${join(root, folder)}`),
  '--watch-preserve-output',
  join(root, 'scripts/start.mjs'),
  ...process.argv.slice(2),
  '--without-client',
]
const client = [join(root, 'node_modules/vite/bin/vite.js'), join(root, 'apps/web')]

const children = [server, client].map((args) => spawn(process.execPath, args, { stdio: 'inherit' }))
const stop = (signal) => {
  for (const child of children) child.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
for (const child of children) child.on('exit', () => stop('SIGTERM'))
