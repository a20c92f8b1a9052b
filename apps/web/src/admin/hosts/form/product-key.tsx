import { getSshKey } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { isUnknownCall } from '../../../calls/unknown-call.ts'
import { notify } from '../../../lib/notices.ts'
import { copyText } from '../../../shared/copy-text.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import styles from './product-key.module.css'

export function ProductKey() {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useRead(getSshKey, {})
  const copy = async (text: string) =>
    (await copyText(text))
      ? notify(t('productKey.copied'), 'success')
      : notify(t('productKey.notCopied'), 'error')
  if (isUnknownCall(error)) return null
  return (
    <div className={styles.panel}>
      <Section title={t('productKey.title')}>
        <p>{t('productKey.about')}</p>
        {isPending && <Loading mode="skeleton" size="small" />}
        {!isPending && !data && (
          <ReadFailed error={error} text={t('productKey.failed')} onRetry={() => void refetch()} />
        )}
        {data && (
          <>
            <code className={styles.key} dir="ltr">
              {data.sshKey}
            </code>
            <div className={styles.foot}>
              <span>
                {t('productKey.fingerprint')}: <Latin>{data.sshKeyFingerprint}</Latin>
              </span>
              <Button icon={adminShapes.copy} onClick={() => void copy(data.sshKey)}>
                {t('productKey.copy')}
              </Button>
            </div>
          </>
        )}
      </Section>
    </div>
  )
}
