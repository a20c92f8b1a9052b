import { removeHost } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useAct } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'

interface Props {
  host: Host
  onRemoved: () => void
  onClose: () => void
}

export function Remove({ host: { kind, uuid, name, accounts }, onRemoved, onClose }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { mutateAsync } = useAct(removeHost, { refreshes: [kinds[kind].list] })
  return (
    <ActDialog
      title={t('hosts.remove.title', { name })}
      confirm={t('hosts.remove.action')}
      kind="danger"
      isReady={accounts === 0}
      onClose={onClose}
      onConfirm={async () => {
        await mutateAsync({ body: { hostUUID: uuid } })
        notify(t('hosts.remove.done', { name }), 'success')
        onRemoved()
      }}
    >
      {accounts === 0 ? (
        <p>{t('hosts.remove.text')}</p>
      ) : (
        <Warning>
          {t('hosts.remove.notEmpty', { count: accounts, shown: formatNumber(accounts, language) })}
        </Warning>
      )}
    </ActDialog>
  )
}
