import { type Answer, getMachine } from '@kelid/contract'
import { brokenRules } from '../../../lib/form.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { useDebounced } from '../../../shared/use-debounced.ts'
import { latin } from '../../kit/parse-number.ts'

export type Service = Answer<typeof getMachine>['services'][number]

/** Such as 443/udp, and ranges for port hopping. */
export const portsText = ({ ports }: Pick<Service, 'ports'>): string =>
  ports
    .map(({ network, first, last }) => `${first === last ? first : `${first}-${last}`}/${network}`)
    .join(', ')

/** The services besides this host that a machine at the address has; none until the answer is there. */
export function useOtherServices(address: string, uuid: string): readonly Service[] {
  const machineIPV4 = latin(address)
  const body = { machineIPV4: useDebounced(machineIPV4, 250) }
  const isEnabled =
    body.machineIPV4 === machineIPV4 && Object.keys(brokenRules(getMachine, body)).length === 0
  const { data } = useRead(getMachine, body, { isEnabled })
  return ((isEnabled && data?.services) || []).filter(({ hostUUID }) => hostUUID !== uuid)
}
