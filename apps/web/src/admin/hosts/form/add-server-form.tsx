import {
  addServer,
  getMachine,
  getServers,
  getTunnels,
  hasReality,
  serverTypes,
  tunnelChoices,
} from '@kelid/contract'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Body } from '../../../calls/api.ts'
import { explain } from '../../../calls/explain.ts'
import { useForm } from '../../../lib/form.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useAct } from '../../../shared/reads/query.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { useBind } from '../../kit/bind.ts'
import { useOtherServices } from '../host/machine.ts'
import { emptyServer, noServerAccess, type ServerValues, serverBody, vpnTypesOf } from './add-server.ts'
import { CountryField } from './country-field.tsx'
import styles from './form.module.css'
import { MachineNote } from './machine-note.tsx'
import { MoreServerFields } from './more-server-fields.tsx'
import { RealityTargetField } from './reality-target-field.tsx'
import { useNewUuid } from './use-new-uuid.ts'
import { useSubmit } from './use-submit.ts'

interface Props {
  /** Of a machine that is to carry one more service. */
  address: string
  onCreated: (server: { serverUUID: string; serverName: string }) => void
}

export function AddServerForm({ address, onCreated }: Props) {
  const { t } = useTranslation('admin')
  const [uuid, uuidFor] = useNewUuid()
  const [isKnownMachine, setKnownMachine] = useState(false)
  /** A known machine has its SSH access already, so the hidden fields are neither checked nor sent. */
  const sentOf = useCallback(
    (values: ServerValues) => (isKnownMachine ? { ...values, ...noServerAccess } : values),
    [isKnownMachine],
  )
  const toBody = useCallback((values: ServerValues) => serverBody(sentOf(values), uuid), [sentOf, uuid])
  const form = useForm(addServer, { ...emptyServer, serverIPV4: address }, toBody)
  const { values } = form
  // A new or moved server reprovisions its tunnels.
  const add = useAct(addServer, { refreshes: [getServers, getTunnels, getMachine] })
  const send = async () => {
    const sent = sentOf(values)
    const body = serverBody(sent, uuidFor(sent)) as Body<typeof addServer>
    await add.mutateAsync({ body })
    onCreated(body)
  }
  const { submit, isBusy, isDone, error } = useSubmit(form, send, t('client.incompleteInformation'))
  const bind = useBind(form, isBusy)
  const services = useOtherServices(values.serverIPV4, uuid)
  // State, because the rules of the form need it before its values are known.
  if (isKnownMachine !== services.length > 0) setKnownMachine(services.length > 0)
  const vpnTypes = vpnTypesOf(values.serverType)
  const ownTunnelTypes = values.serverVPNType === '' ? [] : tunnelChoices(values.serverVPNType)
  const mayUseTunnel = ownTunnelTypes.some((type) => type !== '')
  const choose = { value: '', label: t('hosts.choose') } as const
  const options = (names: readonly string[]) => [choose, ...names.map((value) => ({ value, label: value }))]
  const onVpnType = (type: string) => {
    bind('serverVPNType').onValue(type)
    form.set('serverTunnelType', '')
    form.set('serverFingerprint', '')
    form.set('serverAlpn', '')
    form.set('serverRealityTarget', '')
    form.set('serverSite', '')
    form.set('serverObfuscated', '')
    form.set('serverHopPorts', '')
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField {...bind('serverName')} label={t('hosts.name')} hint={t('hosts.nameHint')} isLatin />
      <div className={styles.pair}>
        <SelectField
          {...bind('serverType')}
          label={t('servers.type')}
          onValue={(type) => {
            bind('serverType').onValue(type)
            const [usual = ''] = vpnTypesOf(type as ServerValues['serverType'])
            onVpnType(usual)
          }}
          options={options(serverTypes)}
        />
        <SelectField
          {...bind('serverVPNType')}
          label={t('servers.vpnType')}
          onValue={onVpnType}
          hint={values.serverType === '' && t('servers.typeFirst')}
          disabled={isBusy || values.serverType === ''}
          options={options(vpnTypes)}
        />
        <SelectField
          {...bind('serverTunnelType')}
          label={t('servers.tunnelType')}
          hint={
            !mayUseTunnel &&
            t(values.serverVPNType === '' ? 'servers.vpnTypeFirst' : 'servers.noTunnelNeeded')
          }
          disabled={isBusy || !mayUseTunnel}
          options={
            ownTunnelTypes.includes('')
              ? ownTunnelTypes.map((value) => ({
                  value,
                  label: value || (mayUseTunnel ? t('servers.direct') : '–'),
                }))
              : options(ownTunnelTypes)
          }
        />
      </div>
      {values.serverVPNType !== '' && hasReality(values.serverVPNType) && (
        <RealityTargetField field={bind('serverRealityTarget')} sni={values.serverSNIAddress} />
      )}
      <div className={styles.pair}>
        <TextField
          {...bind('serverVersion')}
          label={t('servers.version')}
          hint={t('hosts.versionHint')}
          isLatin
        />
        <TextField
          {...bind('serverVPNVersion')}
          label={t('servers.vpnVersion')}
          hint={t('hosts.versionHint')}
          isLatin
        />
      </div>
      <div className={styles.pair}>
        <TextField
          {...bind('serverIPV4')}
          label={t('hosts.ipv4')}
          hint={<MachineNote services={services} />}
          isLatin
        />
        <TextField {...bind('serverURL')} label={t('hosts.url')} hint={t('hosts.urlHint')} isLatin />
      </div>
      <div className={styles.pair}>
        <TextField {...bind('serverPort')} label={t('hosts.port')} inputMode="numeric" isLatin />
        <TextField
          {...bind('serverMaxAccounts')}
          label={t('hosts.maxAccounts')}
          inputMode="numeric"
          isLatin
        />
        <CountryField
          value={values.countryId}
          onValue={(countryId) => form.set('countryId', countryId)}
          disabled={isBusy}
        />
      </div>
      <MoreServerFields bind={bind} vpnType={values.serverVPNType} needsAccess={!isKnownMachine} />
      {error !== null && <Warning>{explain(t, error).text}</Warning>}
      <Button kind="primary" type="submit" isWide isBusy={isBusy && !isDone} disabled={isBusy}>
        {t(isDone ? 'hosts.created' : isBusy ? 'hosts.creating' : 'hosts.create')}
      </Button>
    </form>
  )
}
