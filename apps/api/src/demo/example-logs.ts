import type { HostState } from '@kelid/contract'

const head = (kind: string) => `${kind} ${'*'.repeat(Math.max(3, 77 - kind.length))}`

const tasks = [
  ['Gathering Facts', 'ok'],
  ['Bring the packages up to date', 'changed'],
  ['Open the firewall for the service and for nothing else', 'changed'],
  ['Install the service at its pinned version', 'changed'],
  ['Write its configuration', 'changed'],
  ['Start it and wait until it answers', 'ok'],
] as const

const finishedTasks: Record<HostState, number> = {
  queued: 0,
  failed: 0,
  provisioning: 3,
  ready: tasks.length,
}

export function exampleLog(name: string, address: string, state: HostState): string {
  if (state === 'queued') return ''
  const recap = (text: string) => ['', head('PLAY RECAP'), `${name} : ${text}`]
  return [
    'This is an example from the demo. No host was contacted and nothing was installed.',
    '',
    head(`PLAY [Set up ${name}]`),
    '',
    ...tasks
      .slice(0, finishedTasks[state])
      .flatMap(([title, outcome]) => [head(`TASK [${title}]`), `${outcome}: [${name}]`]),
    ...(state === 'failed'
      ? [
          head('TASK [Gathering Facts]'),
          `fatal: [${name}]: UNREACHABLE! => Failed to connect to the host via ssh: connect to host ${address} port 22: Connection timed out`,
          ...recap('ok=0 changed=0 unreachable=1 failed=0'),
        ]
      : []),
    ...(state === 'ready' ? recap('ok=6 changed=4 unreachable=0 failed=0') : []),
  ].join('\n')
}
