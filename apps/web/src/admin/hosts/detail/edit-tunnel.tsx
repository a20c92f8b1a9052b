import { editTunnel, getTunnel, parseWholeNumber } from '@kelid/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Body, read } from '../../../calls/api.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import { TextArea } from '../../kit/text-area.tsx'
import type { Tunnel } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import { EditFrame } from './edit-frame.tsx'
import { useEdit } from './use-edit.ts'
import { useEditBind } from './use-edit-bind.ts'

const noSecrets = { tunnelSSHUsername: '', tunnelSSHPassword: '', tunnelSSHKey: '' }
const secrets = Object.keys(noSecrets)

const textsOf = ({ tunnelName, tunnelMaxAccounts, tunnelCreatorEmail }: Tunnel) => ({
  tunnelName,
  tunnelMaxAccounts: String(tunnelMaxAccounts),
  tunnelCreatorEmail,
  ...noSecrets,
})
const toWire = ({ tunnelMaxAccounts, ...rest }: Partial<ReturnType<typeof textsOf>>) => ({
  ...rest,
  ...(tunnelMaxAccounts !== undefined && { tunnelMaxAccounts: parseWholeNumber(tunnelMaxAccounts) }),
})

export function EditTunnel({ tunnel, onClose }: { tunnel: Tunnel; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { tunnelUUID, tunnelName: name } = tunnel
  const target = useMemo(() => ({ tunnelUUID }), [tunnelUUID])
  const edit = useEdit({
    call: editTunnel,
    target,
    shown: textsOf(tunnel),
    read: async () => textsOf(await read(getTunnel, { tunnelUUID })),
    toWire,
    secrets,
  })
  const save = useAct(editTunnel, { refreshes: kinds.tunnel.stale })
  const bind = useEditBind(edit)
  return (
    <EditFrame
      name={name}
      edit={edit}
      save={async () => (await save.mutateAsync({ body: edit.body as Body<typeof editTunnel> })).tunnelName}
      onClose={onClose}
      secrets={
        <>
          <TextField {...bind('tunnelSSHUsername')} label={t('servers.sshUsername')} isLatin />
          <PasswordField
            {...bind('tunnelSSHPassword')}
            label={t('servers.sshPassword')}
            autoComplete="new-password"
          />
          <TextArea {...bind('tunnelSSHKey')} label={t('servers.sshKey')} spellCheck={false} isLatin />
        </>
      }
    >
      <TextField {...bind('tunnelName')} label={t('hosts.name')} isLatin />
      <TextField {...bind('tunnelMaxAccounts')} label={t('hosts.maxAccounts')} inputMode="numeric" isLatin />
      <TextField
        {...bind('tunnelCreatorEmail')}
        label={t('tunnels.creatorEmail')}
        inputMode="email"
        isLatin
      />
    </EditFrame>
  )
}
