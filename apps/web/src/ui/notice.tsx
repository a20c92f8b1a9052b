import { useTranslation } from 'react-i18next'
import { noticeStore, resetNotice } from '../lib/notices.ts'
import { useStore } from '../lib/store.ts'
import { Icon } from './icon.tsx'
import styles from './notice.module.css'

/** The place where notifications appear; it is always there, so that screen readers hear what is put into it. */
export function NoticeArea() {
  const { t } = useTranslation()
  const notice = useStore(noticeStore)
  return (
    <div className={styles.area} role="status" aria-live="polite">
      {notice && (
        <div key={notice.id} className={`${styles.notice} ${styles[notice.severity]}`}>
          <Icon name={notice.severity === 'success' ? 'done' : 'alert'} />
          <p>
            <bdi>{notice.text}</bdi>
          </p>
          {!notice.autoHide && (
            <button type="button" className={styles.close} onClick={resetNotice}>
              {t('ui.close')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
