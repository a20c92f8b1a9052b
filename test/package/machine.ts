import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ended, run, runBeside, until } from '../dataplane/commands.ts'
import { joinGroup } from '../dataplane/groups.ts'
import { given } from './given.ts'

export interface Machine {
  root: string
  /** Runs a shell script as root. */
  run: (script: string) => Promise<Ended>
  /** What was written to standard output; fails when the script does. */
  say: (script: string) => Promise<string>
  reboot: () => Promise<void>
}

/** Where the machine finds the folder of the tests. */
export const archives = '/mnt/archives'

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)

/** The first process of the machine, seen from here. */
function initOf(nspawn: number): string {
  const init = childrenOf(nspawn).find((pid) =>
    /^NSpid:.*\t1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')),
  )
  if (!init) throw new Error('the machine has no init yet')
  return init
}

/** A fresh copy of a system, with systemd and without any network. */
export async function bootMachine(name: string, system: string): Promise<Machine> {
  const own = join(given.folder, name)
  const root = join(own, 'root')
  for (const part of ['upper', 'work', 'root']) mkdirSync(join(own, part), { recursive: true })
  const layers = `lowerdir=${system},upperdir=${join(own, 'upper')},workdir=${join(own, 'work')}`
  run('mount', '-t', 'overlay', 'overlay', '-o', layers, root)
  rmSync(join(root, 'etc/machine-id'), { force: true })
  writeFileSync(join(root, 'etc/machine-id'), run('systemd-id128', 'new'))
  writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost\n127.0.1.1 ${name}\n`)
  const nspawn = [
    ...[
      'systemd-nspawn',
      '--quiet',
      '--register=no',
      '--keep-unit',
      '--private-network',
      '--resolv-conf=off',
    ],
    ...[
      `--hostname=${name}`,
      '-D',
      root,
      `--bind-ro=${given.folder}:${archives}`,
      '--boot',
      '--console=pipe',
    ],
  ]
  const start = () => {
    const group = joinGroup(`kelid-package-${given.run}-${name}`)
    const child = spawn('sh', ['-c', `${group} && exec "$@"`, 'sh', ...nspawn], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const log = (text: Buffer) => appendFileSync(join(own, 'console'), text)
    child.stdout.on('data', log)
    child.stderr.on('data', log)
    return child
  }
  let machine = start()
  let init = ''
  const environment = [
    'env',
    '-i',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'HOME=/root',
  ]
  const inside = (script: string) =>
    runBeside(['nsenter', '-t', init, '-m', '-u', '-i', '-n', '-p', ...environment, 'sh', '-c', script])
  const say = async (script: string) => {
    const { code, stdout, stderr } = await inside(script)
    if (code !== 0) throw new Error(`${name}: ${script}: exit code ${code}: ${stderr}${stdout}`)
    return stdout.trim()
  }
  const up = async () => {
    await until(`${name} is up`, 180, () => {
      init = initOf(machine.pid ?? 0)
      return say('systemctl is-system-running | grep -E "running|degraded"')
    })
    // nspawn puts a file of its own there, which units with ProtectProc do not see. Real machines have one number.
    await say('umount /proc/sys/kernel/random/boot_id')
  }
  await up()
  const reboot = async () => {
    const ended = new Promise((resolve) => machine.once('exit', resolve))
    await inside('systemctl reboot')
    await ended
    machine = start()
    await up()
  }
  return { root, run: inside, say, reboot }
}
