import {
  addTunnel,
  getMachine,
  getTunnels,
  getUser,
  parseWholeNumber,
  type TunnelType,
  tunnelTypes,
} from '@kelid/contract'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Body } from '../../../calls/api.ts'
import { explain } from '../../../calls/explain.ts'
import { useForm } from '../../../lib/form.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { useBind } from '../../kit/bind.ts'
import { latin } from '../../kit/parse-number.ts'
import { useOtherServices } from '../host/machine.ts'
import styles from './form.module.css'
import { MachineNote } from './machine-note.tsx'
import { accessBody, noTunnelAccess, TunnelAccess } from './tunnel-access.tsx'
import { useNewUuid } from './use-new-uuid.ts'
import { useSubmit } from './use-submit.ts'

const emptyTunnel = {
  tunnelName: '',
  tunnelVersion: '',
  tunnelType: '' as TunnelType | '',
  tunnelCreatorEmail: '',
  tunnelIPV4: '',
  tunnelURL: '',
  tunnelPort: '',
  tunnelMaxAccounts: '',
  tunnelIPV6: '',
  tunnelSite: '',
  tunnelQuota: '',
  tunnelQuotaDay: '1',
  ...noTunnelAccess,
}
type TunnelValues = typeof emptyTunnel

const tunnelBody = (values: TunnelValues, tunnelUUID: string) => ({
  tunnelName: values.tunnelName.trim(),
  tunnelUUID,
  tunnelVersion: latin(values.tunnelVersion),
  tunnelType: values.tunnelType,
  tunnelCreatorEmail: values.tunnelCreatorEmail.trim(),
  tunnelIPV4: latin(values.tunnelIPV4),
  tunnelURL: values.tunnelURL.trim(),
  tunnelPort: parseWholeNumber(values.tunnelPort),
  tunnelMaxAccounts: parseWholeNumber(values.tunnelMaxAccounts),
  ...(values.tunnelIPV6.trim() && { tunnelIPV6: latin(values.tunnelIPV6) }),
  ...(values.tunnelSite.trim() && { tunnelSite: values.tunnelSite.trim() }),
  ...(values.tunnelQuota.trim() && {
    tunnelQuota: parseWholeNumber(values.tunnelQuota),
    tunnelQuotaDay: Number(values.tunnelQuotaDay),
  }),
  ...accessBody(values),
})

interface Props {
  /** Of a machine that is to carry one more service. */
  address: string
  onCreated: (tunnel: { tunnelUUID: string; tunnelName: string }) => void
}

export function AddTunnelForm(props: Props) {
  const { t } = useTranslation('admin')
  const user = useRead(getUser, {})
  useReadNotice(user.error, t('client.fetchingUser'))
  if (user.isPending) return <Loading mode="skeleton" />
  return <Fields {...props} creator={user.data?.userEmail ?? ''} />
}

function Fields({ address, onCreated, creator }: Props & { creator: string }) {
  const { t } = useTranslation('admin')
  const [uuid, uuidFor] = useNewUuid()
  const [isKnownMachine, setKnownMachine] = useState(false)
  /** A known machine has its SSH access already, so the hidden fields are neither checked nor sent. */
  const sentOf = useCallback(
    (values: TunnelValues) => (isKnownMachine ? { ...values, ...noTunnelAccess } : values),
    [isKnownMachine],
  )
  const toBody = useCallback((values: TunnelValues) => tunnelBody(sentOf(values), uuid), [sentOf, uuid])
  const form = useForm(
    addTunnel,
    { ...emptyTunnel, tunnelCreatorEmail: creator, tunnelIPV4: address },
    toBody,
  )
  const { values } = form
  const add = useAct(addTunnel, { refreshes: [getTunnels, getMachine] })
  const send = async () => {
    const sent = sentOf(values)
    const body = tunnelBody(sent, uuidFor(sent)) as Body<typeof addTunnel>
    await add.mutateAsync({ body })
    onCreated(body)
  }
  const { submit, isBusy, isDone, error } = useSubmit(form, send, t('client.incompleteInformation'))
  const bind = useBind(form, isBusy)
  const services = useOtherServices(values.tunnelIPV4, uuid)
  // State, because the rules of the form need it before its values are known.
  if (isKnownMachine !== services.length > 0) setKnownMachine(services.length > 0)
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField {...bind('tunnelName')} label={t('hosts.name')} hint={t('hosts.nameHint')} isLatin />
      <div className={styles.pair}>
        <SelectField
          {...bind('tunnelType')}
          label={t('tunnels.type')}
          options={[
            { value: '', label: t('hosts.choose') },
            ...tunnelTypes.map((value) => ({ value, label: value })),
          ]}
        />
        <TextField
          {...bind('tunnelVersion')}
          label={t('tunnels.version')}
          hint={t('hosts.versionHint')}
          isLatin
        />
      </div>
      <TextField
        {...bind('tunnelCreatorEmail')}
        label={t('tunnels.creatorEmail')}
        hint={t('tunnels.creatorHint')}
        inputMode="email"
        isLatin
      />
      <div className={styles.pair}>
        <TextField
          {...bind('tunnelIPV4')}
          label={t('hosts.ipv4')}
          hint={<MachineNote services={services} />}
          isLatin
        />
        <TextField {...bind('tunnelURL')} label={t('hosts.url')} hint={t('tunnels.urlHint')} isLatin />
      </div>
      <div className={styles.pair}>
        <TextField {...bind('tunnelPort')} label={t('hosts.port')} inputMode="numeric" isLatin />
        <TextField
          {...bind('tunnelMaxAccounts')}
          label={t('hosts.maxAccounts')}
          inputMode="numeric"
          isLatin
        />
      </div>
      <TunnelAccess bind={bind} needsAccess={!isKnownMachine} />
      {error !== null && <Warning>{explain(t, error).text}</Warning>}
      <Button kind="primary" type="submit" isWide isBusy={isBusy && !isDone} disabled={isBusy}>
        {t(isDone ? 'hosts.created' : isBusy ? 'hosts.creating' : 'hosts.create')}
      </Button>
    </form>
  )
}
