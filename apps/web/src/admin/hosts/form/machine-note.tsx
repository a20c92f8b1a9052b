import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Latin } from '../../kit/latin.tsx'
import { portsText, type Service } from '../host/machine.ts'

/** The hint of an address; a live region is announced only if it was there before its text. */
export function MachineNote({ services }: { services: readonly Service[] }) {
  const { t } = useTranslation('admin')
  return (
    <span aria-live="polite">
      {t(services.length > 0 ? 'machines.known' : 'hosts.ipv4Hint')}
      {services.map((service) => (
        <Fragment key={service.hostUUID}>
          <br />
          <Latin>{`${service.hostName} ${portsText(service)}`}</Latin>
        </Fragment>
      ))}
    </span>
  )
}
