import { addTunnel, getMachine, getUser } from '@kelid/contract'
import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { lastBodyTo, press, retype, user } from '../../../../test/actions.ts'
import { answer, callsTo } from '../../../../test/answers.ts'
import { aService, aTunnel } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { AddTunnelForm } from './add-tunnel-form.tsx'

let services = [aService()]

beforeEach(() => {
  services = [aService()]
  answer(getUser, () => ({ userEmail: 'owner@example.com', userLevel: 6, userPhone: null, userContact: '' }))
  answer(getMachine, ({ machineIPV4 }) => ({
    machineIPV4,
    machineSSHPort: 22,
    services: machineIPV4 === '192.0.2.10' ? services : [],
  }))
  answer(addTunnel, ({ tunnelUUID, tunnelName }) => {
    services = [aService({ hostUUID: tunnelUUID })]
    return aTunnel({ tunnelUUID, tunnelName })
  })
})

async function openFilled(address: string) {
  show(<AddTunnelForm address={address} onCreated={() => undefined} />)
  await retype('Name', 'thr-1')
  await user.selectOptions(screen.getByLabelText('Tunnel type'), 'ssh')
  await retype('Tunnel version', '1.0')
  await retype('URL', 'thr1.example.com')
  await retype('Port', '443')
  await retype('Maximum accounts', '50')
}
async function create() {
  await press('Create')
  await screen.findByRole('button', { name: 'Created' })
}

test('a tunnel on a known machine uses its SSH access, and what was entered is neither checked nor sent', async () => {
  await openFilled('192.0.2.11')
  await retype('SSH port', '70000')
  await retype('SSH user name', 'deploy')
  await retype('SSH password', 'hush')
  await retype('SSH key', 'key')
  const hint = screen.getByText('Such as 192.0.2.10.')
  await retype('IPv4 address', '192.0.2.10')
  expect(await screen.findByText(/One more service of this machine/)).toBe(hint)
  expect(screen.getByText('fra-1 443/udp, 20000-20100/udp')).toBeTruthy()
  expect(screen.queryByLabelText('SSH port')).toBeNull()
  await create()
  const body = lastBodyTo(addTunnel)
  expect(body).toMatchObject({ tunnelIPV4: '192.0.2.10' })
  expect(Object.keys(body ?? {}).filter((name) => /SSH|Replace/.test(name))).toEqual([])
})

test('on a new machine the access is sent, and the tunnel is not one of the services already there', async () => {
  services = []
  await openFilled('192.0.2.10')
  await retype('SSH password', 'hush')
  await create()
  expect(lastBodyTo(addTunnel)).toMatchObject({ tunnelSSHPassword: 'hush' })
  expect(callsTo(getMachine)).toHaveLength(2)
  expect(screen.queryByText(/One more service/)).toBeNull()
})
