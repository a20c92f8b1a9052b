import { getSshKey } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { isUnknownCall } from '../../../calls/unknown-call.ts'
import { notify } from '../../../lib/notices.ts'
import { copyText } from '../../../shared/copy-text.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { Button } from '../../../ui/button.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import styles from './product-key.module.css'

export function ProductKey() {
  const { t } = useTranslation('admin')
  const key = useRead(getSshKey, {})
  const { data } = key
  const copy = async (text: string) =>
    (await copyText(text))
      ? notify(t('productKey.copied'), 'success')
      : notify(t('productKey.notCopied'), 'error')
  if (isUnknownCall(key.error)) return null
  return (
    <div className={styles.panel}>
      <Section title={t('productKey.title')}>
        <p>{t('productKey.about')}</p>
        {!data && <ReadState read={key} failed={t('productKey.failed')} size="small" />}
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
