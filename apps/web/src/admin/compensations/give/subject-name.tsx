import { getServer, getTunnel } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../shared/reads/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Latin } from '../../kit/latin.tsx'
import { ReadWarning } from '../../kit/read-warning.tsx'
import styles from './give.module.css'
import type { Subject } from './subject.ts'

export function useSubjectName({ kind, uuid }: Subject) {
  const server = useRead(getServer, { serverUUID: uuid }, { isEnabled: kind === 'server' })
  const tunnel = useRead(getTunnel, { tunnelUUID: uuid }, { isEnabled: kind === 'tunnel' })
  const { error } = kind === 'server' ? server : tunnel
  return { name: server.data?.serverName ?? tunnel.data?.tunnelName ?? uuid, error }
}

export function SubjectName({ subject, onOther }: { subject: Subject; onOther: () => void }) {
  const { t } = useTranslation('admin')
  const { name, error } = useSubjectName(subject)
  return (
    <>
      <div className={styles.subject}>
        <p>
          {t(`compensations.kinds.${subject.kind}`)} <Latin>{name}</Latin>
        </p>
        <Button onClick={onOther}>{t('compensations.other')}</Button>
      </div>
      {error && <ReadWarning error={error} />}
    </>
  )
}
