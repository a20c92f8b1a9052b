import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Latin } from '../../kit/latin.tsx'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import { useTell } from '../host/question.ts'

interface Props {
  host: Host
  /** The one that is known, which whoever decides has seen. */
  fingerprint: string
  onClose: () => void
}

/** Says what it means before it is done: whoever answers next is believed. */
export function AcceptKey({ host: { kind, uuid, name }, fingerprint, onClose }: Props) {
  const { t } = useTranslation('admin')
  const { acceptKey, stale } = kinds[kind]
  const { tell } = useTell(acceptKey, { refreshes: stale })
  return (
    <ActDialog
      title={t('hostKey.acceptTitle', { name })}
      confirm={t('hostKey.action')}
      kind="danger"
      onClose={onClose}
      onConfirm={async () => {
        await tell({ uuid, fingerprint })
        notify(t('hostKey.done', { name }), 'success')
      }}
    >
      <Warning>{t('hostKey.text')}</Warning>
      <p>
        {t('hostKey.fingerprint')}: <Latin>{fingerprint}</Latin>
      </p>
      <p>{t('hostKey.next')}</p>
    </ActDialog>
  )
}
