import type { HostState } from '@kelid/contract'

const notice = 'This is an example from the demo. No host was contacted and nothing was installed.'

const begin = (name: string) => [
  notice,
  '',
  `PLAY [Set up ${name}] ********************************************************`,
  '',
  'TASK [Gathering Facts] *******************************************************',
]
const task = (name: string, title: string, outcome: string) => [
  `TASK [${title}] ${'*'.repeat(Math.max(3, 70 - title.length))}`,
  `${outcome}: [${name}]`,
]

/** What a run leaves behind, by how far the host has got. */
export function exampleLog(name: string, address: string, state: HostState): string[] {
  if (state === 'queued') return []
  if (state === 'failed')
    return [
      ...begin(name),
      `fatal: [${name}]: UNREACHABLE! => Failed to connect to the host via ssh: connect to host ${address} port 22: Connection timed out`,
      '',
      'PLAY RECAP *******************************************************************',
      `${name} : ok=0 changed=0 unreachable=1 failed=0`,
    ]
  const steps = [
    ...begin(name),
    `ok: [${name}]`,
    ...task(name, 'Bring the packages up to date', 'changed'),
    ...task(name, 'Open the firewall for the service and for nothing else', 'changed'),
  ]
  if (state === 'provisioning') return steps
  return [
    ...steps,
    ...task(name, 'Install the service at its pinned version', 'changed'),
    ...task(name, 'Write its configuration', 'changed'),
    ...task(name, 'Start it and wait until it answers', 'ok'),
    '',
    'PLAY RECAP *******************************************************************',
    `${name} : ok=6 changed=4 unreachable=0 failed=0`,
  ]
}
