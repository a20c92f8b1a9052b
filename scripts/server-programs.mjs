import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackage } from './debian-package.mjs'

/** What the server's tests start besides the product, and the package of Debian that has it. */
const programs = [
  { program: 'ansible-playbook', package: 'ansible-core', for: 'runs by the real Ansible' },
  { program: 'sshd', package: 'openssh-server', for: 'hosts that are reached by SSH' },
  { program: 'sshpass', package: 'sshpass', for: 'hosts that are reached by SSH' },
]

/** Where programs of administrators are, which are not on everybody's path. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
const missing = () => programs.filter(({ program }) => !folders.some((dir) => existsSync(join(dir, program))))

/** Brings what is missing where that is ours to do, and says which tests are left out without the rest. */
export function prepareServerPrograms() {
  const wanted = missing().map((one) => one.package)
  if (wanted.length > 0) installPackage(...wanted)
  for (const one of missing())
    console.log(
      `\nLeft out: tests of ${one.for}. There is no ${one.program}; install the package ${one.package} to run them.`,
    )
}
