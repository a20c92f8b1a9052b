import { networkInterfaces } from 'node:os'
import { run } from './commands.ts'

/** Ranges for documentation, so that the rule against private addresses stays on. This process is the control plane. */
export const address = {
  control: '198.51.100.1',
  /** The rest of the internet, as far as there is one here: pages, a resolver, a certificate authority. */
  world: '203.0.113.1',
  customer: '203.0.113.200',
  /** Places no customer may reach; they answer here, so that only a refusal keeps a customer out. */
  private: '10.9.8.7',
  metadata: '169.254.169.254',
}

/** What the product fetches through servers to see whether customers get through. */
export const probeUrl = `http://${address.world}:8080/204`

/** What nothing here may ever lead to: an own address outside of the ranges would be a way out of the tests. */
export function assertOwnWorld() {
  const names = Object.keys(networkInterfaces()).filter((name) => name !== 'lo' && name !== 'eth0')
  const foreign = run('ip', '-o', '-4', 'route', 'show', 'default')
  if (names.length > 0 || foreign || process.ppid !== 1)
    throw new Error(
      'These tests have to be started by `npm run test:dataplane`, which gives them a network of their own',
    )
}

function join(name: string, where: string[], addresses: string[]) {
  run('ip', ...where, 'link', 'add', 'name', 'eth0', 'type', 'veth', 'peer', 'name', name, 'netns', 'switch')
  run('ip', '-n', 'switch', 'link', 'set', name, 'master', 'bridge0', 'up')
  run('ip', ...where, 'link', 'set', 'lo', 'up')
  run('ip', ...where, 'link', 'set', 'eth0', 'up')
  for (const own of addresses) run('ip', ...where, 'address', 'add', `${own}/32`, 'dev', 'eth0')
  for (const range of [
    '198.51.100.0/24',
    '203.0.113.0/24',
    `${address.private}/32`,
    `${address.metadata}/32`,
  ])
    if (!addresses.includes(range.slice(0, -3)))
      run('ip', ...where, 'route', 'add', range, 'dev', 'eth0', 'src', addresses[0] ?? '')
}

/** A namespace with an address on the switch. */
export function addNamespace(name: string, own: string) {
  run('ip', 'netns', 'add', name)
  join(name, ['-n', name], [own])
}

/** The switch has a namespace of its own; the names of all of them are seen by this process and its children alone. */
export function openNetwork() {
  run('mount', '-t', 'tmpfs', 'tmpfs', '/run/netns')
  run('ip', 'netns', 'add', 'switch')
  run('ip', '-n', 'switch', 'link', 'add', 'name', 'bridge0', 'type', 'bridge')
  run('ip', '-n', 'switch', 'link', 'set', 'bridge0', 'up')
  join('control', [], [address.control, address.world, address.private, address.metadata])
  addNamespace('customer', address.customer)
}
