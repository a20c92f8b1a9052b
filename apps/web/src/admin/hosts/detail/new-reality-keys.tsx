import { newRealityKeys, realityOverlapDays } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import type { Host, Server } from '../host/host.ts'
import { ActButton } from './act-button.tsx'
import { HostActDialog } from './host-act-dialog.tsx'

/** Only for servers with REALITY. */
export function NewRealityKeys({ host, server }: { host: Host; server: Server }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  if (!server.serverReality) return null
  const days = formatNumber(realityOverlapDays, language)
  const shown = formatNumber(server.serverAccounts, language)
  const { changedDate } = server.serverReality
  return (
    <ActButton
      label={t('hosts.newKeys.action')}
      icon={adminShapes.renew}
      dialog={(close) => (
        <HostActDialog
          act="hosts.newKeys"
          host={host}
          call={newRealityKeys}
          body={{ serverUUID: host.uuid }}
          isReady={changedDate === null}
          onClose={close}
        >
          <p>{t('hosts.newKeys.text', { days })}</p>
          {server.serverAccounts > 0 && (
            <Warning>{t('hosts.newKeys.links', { count: server.serverAccounts, shown, days })}</Warning>
          )}
          {changedDate && (
            <Warning>
              {t('hosts.newKeys.changing', { date: formatDate(changedDate, language), days })}
            </Warning>
          )}
        </HostActDialog>
      )}
    />
  )
}
