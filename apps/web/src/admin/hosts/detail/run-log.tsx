import type { HostKind } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { explain } from '../../../calls/explain.ts'
import { formatMoment } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { Appearing } from '../../kit/appearing.tsx'
import type { Run } from '../host/kinds.ts'
import { useHostLog } from '../host/use-host-log.ts'
import { LogBox } from '../log/log-box.tsx'
import styles from './detail.module.css'

interface Props {
  kind: HostKind
  uuid: string
  run: Run
}

export function RunLog({ kind, uuid, run: { runUUID, runQueuedDate } }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const log = useHostLog(kind, uuid, runUUID)
  return (
    <Appearing>
      <h3 className={styles.logOf}>{t('runs.logOf', { date: formatMoment(runQueuedDate, language) })}</h3>
      {log.isPending && <Loading size="small" />}
      {log.error && <ReadFailed error={log.error} text={explain(t, log.error).text} onRetry={log.refetch} />}
      {log.data && (
        <LogBox
          kind={kind}
          uuid={uuid}
          runUUID={runUUID}
          text={log.data.ansibleLog}
          readAt={log.readAt}
          onStale={log.refetch}
        />
      )}
    </Appearing>
  )
}
