import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackage } from './debian-package.mjs'
import { preparePromtool } from './promtool.mjs'

/** Programs that the server's tests start, with their Debian packages. */
const programs = [
  { program: 'ansible-playbook', package: 'ansible-core', for: 'runs by the real Ansible' },
  { program: 'sshd', package: 'openssh-server', for: 'hosts that are reached by SSH' },
  { program: 'sshpass', package: 'sshpass', for: 'hosts that are reached by SSH' },
]

/** Not on every user's PATH. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
const missing = () => programs.filter(({ program }) => !folders.some((dir) => existsSync(join(dir, program))))

/** Installs missing programs if this process may, and prints which tests are skipped. */
export function prepareServerPrograms() {
  const wanted = missing().map((one) => one.package)
  if (wanted.length > 0) installPackage(...wanted)
  for (const one of missing())
    console.log(
      `\nSkipped: tests of ${one.for}. ${one.program} is missing; install the package ${one.package} to run them.`,
    )
  if (!preparePromtool()) console.log('\nSkipped: tests of alert rules. promtool could not be fetched.')
}
