import { EventEmitter, once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'

const program = join(import.meta.dirname, 'lying-host.py')

/** What the playbook looks for, so that nothing has to be installed. */
const packages = [
  'ca-certificates',
  'iproute2',
  'nftables',
  'nginx',
  'libnginx-mod-stream',
  'unattended-upgrades',
  'systemd-timesyncd',
  'lego',
]

export interface LyingHost {
  /** The command that answers in the place of a host. */
  readonly command: string
  /** Its two files, for a host that has to have them itself. */
  readonly program: string
  readonly lies: string
  /** From now on every module fails, or none does. */
  fail(fails: boolean): void
  /** The lies that were carried out on the control plane. */
  fired(): Promise<string[]>
  close(): Promise<void>
}

/** Lies show up at a port of the loopback, which a confined program reaches too. `digests`: of the programs that are expected; it may have others already. */
export async function openLyingHost(
  folder: string,
  digests: readonly string[],
  { has_programs = false } = {},
): Promise<LyingHost> {
  mkdirSync(folder, { recursive: true })
  const names: string[] = []
  const arrivals = new EventEmitter()
  const listener = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (text) => {
        const name = text.toString().trim()
        if (name === 'end') arrivals.emit('end')
        else names.push(name)
      })
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const { port } = listener.address() as AddressInfo
  const lies = join(folder, 'lies.json')
  const interpreter = join(folder, 'interpreter')
  writeFileSync(interpreter, `#!/bin/bash\necho interpreter >/dev/tcp/127.0.0.1/${port}\n`, { mode: 0o755 })
  const fail = (fails: boolean) =>
    writeFileSync(lies, JSON.stringify({ port, folder, digests, has_programs, fails, packages, interpreter }))
  fail(false)
  return {
    command: `/usr/bin/python3 -I -S ${program} ${lies}`,
    program,
    lies,
    fail,
    async fired() {
      // Connections arrive in their order: after this one no earlier one is still on its way.
      const arrived = once(arrivals, 'end')
      const end = connect(port, '127.0.0.1', () => end.end('end\n'))
      await arrived
      return names.splice(0)
    },
    close: async () => {
      listener.close()
      await once(listener, 'close')
    },
  }
}
