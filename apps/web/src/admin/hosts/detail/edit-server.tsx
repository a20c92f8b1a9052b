import { editServer, getServer, parseWholeNumber, toLatinDigits } from '@kelid/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Body, read } from '../../../calls/api.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import { DateField } from '../../kit/date-field.tsx'
import { TextArea } from '../../kit/text-area.tsx'
import type { Server } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import { EditFrame } from './edit-frame.tsx'
import { useEdit } from './use-edit.ts'
import { useEditBind } from './use-edit-bind.ts'

const noSecrets = {
  serverSSHUsername: '',
  serverSSHPassword: '',
  serverSSHKey: '',
  serverHostingName: '',
  serverHostingUsername: '',
  serverHostingPassword: '',
}
const secrets = Object.keys(noSecrets) as (keyof typeof noSecrets)[]

const textsOf = (server: Server) => ({
  serverName: server.serverName,
  serverMaxAccounts: String(server.serverMaxAccounts),
  serverDescription: server.serverDescription,
  serverProvider: server.serverProvider,
  serverExpireDate: server.serverExpireDate,
  serverLocation: server.serverLocation,
  serverTargetCountry: server.serverTargetCountry,
  serverTargetOperator: server.serverTargetOperator,
  ...noSecrets,
})
const toWire = ({ serverMaxAccounts, serverExpireDate, ...rest }: Partial<ReturnType<typeof textsOf>>) => ({
  ...rest,
  ...(serverExpireDate !== undefined && { serverExpireDate: toLatinDigits(serverExpireDate) }),
  ...(serverMaxAccounts !== undefined && { serverMaxAccounts: parseWholeNumber(serverMaxAccounts) }),
})

export function EditServer({ server, onClose }: { server: Server; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { serverUUID, serverName: name } = server
  const target = useMemo(() => ({ serverUUID }), [serverUUID])
  const edit = useEdit({
    call: editServer,
    target,
    shown: textsOf(server),
    read: async () => textsOf(await read(getServer, { serverUUID })),
    toWire,
    secrets,
  })
  const save = useAct(editServer, { refreshes: kinds.server.stale })
  const bind = useEditBind(edit)
  return (
    <EditFrame
      name={name}
      edit={edit}
      save={async () => (await save.mutateAsync({ body: edit.body as Body<typeof editServer> })).serverName}
      onClose={onClose}
      secrets={
        <>
          <TextField {...bind('serverSSHUsername')} label={t('servers.sshUsername')} isLatin />
          <PasswordField
            {...bind('serverSSHPassword')}
            label={t('servers.sshPassword')}
            autoComplete="new-password"
          />
          <TextArea {...bind('serverSSHKey')} label={t('servers.sshKey')} spellCheck={false} isLatin />
          <TextField {...bind('serverHostingName')} label={t('servers.hostingName')} dir="auto" />
          <TextField {...bind('serverHostingUsername')} label={t('servers.hostingUsername')} isLatin />
          <PasswordField
            {...bind('serverHostingPassword')}
            label={t('servers.hostingPassword')}
            autoComplete="new-password"
          />
        </>
      }
    >
      <TextField {...bind('serverName')} label={t('hosts.name')} isLatin />
      <TextField {...bind('serverMaxAccounts')} label={t('hosts.maxAccounts')} inputMode="numeric" isLatin />
      <TextArea {...bind('serverDescription')} label={t('servers.description')} rows={3} />
      <TextField {...bind('serverProvider')} label={t('servers.provider')} dir="auto" />
      <DateField {...bind('serverExpireDate')} label={t('servers.expireDate')} />
      <TextField {...bind('serverLocation')} label={t('servers.location')} dir="auto" />
      <TextField {...bind('serverTargetCountry')} label={t('servers.targetCountry')} dir="auto" />
      <TextField {...bind('serverTargetOperator')} label={t('servers.targetOperator')} dir="auto" />
    </EditFrame>
  )
}
