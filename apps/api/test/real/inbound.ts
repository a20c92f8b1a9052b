import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { needsTunnel, type VpnType, vpnCatalogue } from '@kelid/contract'

const run = promisify(execFile)
const provisioning = join(import.meta.dirname, '../../../../provisioning')
const template = `{{ lookup('ansible.builtin.template', 'roles/core/templates/inbound.json.j2') | b64encode }}`

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
  const kelid = { server: { vpn_type: vpnType, vpn, tunnel_type, port: 443 } }
  const variables = ['-e', '@vpn-types.yml', '-e', JSON.stringify({ kelid })]
  const module = ['-m', 'ansible.builtin.debug', '-a', JSON.stringify({ msg: template })]
  const { stdout } = await run('ansible', ['localhost', '--playbook-dir', '.', ...variables, ...module], {
    cwd: provisioning,
  })
  const { msg } = JSON.parse(stdout.slice(stdout.indexOf('{')))
  return Buffer.from(msg, 'base64').toString()
}
