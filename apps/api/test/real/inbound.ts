import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { needsTunnel, type VpnType, vpnCatalogue } from '@kelid/contract'

const run = promisify(execFile)
const provisioning = join(import.meta.dirname, '../../../../provisioning')

const variableFiles = [
  'service.yml',
  'vpn-types.yml',
  ...['base', 'checks', 'core'].map((role) => `roles/${role}/vars/main.yml`),
]

const rendered = new Map<VpnType, Promise<string>>()

/** The customers' inbound of a VPN type, in JSON, as the playbook writes it on a host. */
export function inboundOf(vpnType: VpnType): Promise<string> {
  const text = rendered.get(vpnType) ?? render(vpnType)
  rendered.set(vpnType, text)
  return text
}

async function render(vpnType: VpnType): Promise<string> {
  const vpn = vpnCatalogue[vpnType]
  const tunnel_type = needsTunnel(vpnType) ? vpn.tunnelTypes[0] : ''
  const server = { vpn_type: vpnType, vpn, tunnel_type, port: 443, name: 'www.example.com' }
  return renderFile({ server }, 'core/templates/inbound.json.j2')
}

/** A template of a role, as the playbook writes it on the host that `kelid` describes. */
export async function renderFile(kelid: object, template: string): Promise<string> {
  const msg = `{{ lookup('ansible.builtin.template', 'roles/${template}', convert_data=False) | b64encode }}`
  const stdout = await runModule(kelid, 'ansible.builtin.debug', { msg })
  return Buffer.from(JSON.parse(stdout.slice(stdout.indexOf('{'))).msg, 'base64').toString()
}

/** One module of Ansible on this machine, with the playbook's VPN types. Rejects if it fails. */
export async function runModule(kelid: object, module: string, args: object): Promise<string> {
  const files = variableFiles.flatMap((file) => ['-e', `@${file}`])
  const variables = [...files, '-e', JSON.stringify({ kelid: { service: 1, ...kelid } })]
  const words = ['localhost', '--playbook-dir', '.', ...variables, '-m', module, '-a', JSON.stringify(args)]
  return (await run('ansible', words, { cwd: provisioning })).stdout
}
