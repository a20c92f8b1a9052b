import { type ReactNode, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { type Notice, noticeStore, resetNotice } from '../lib/notices.ts'
import { useStore } from '../lib/store.ts'
import { Icon } from './icon.tsx'
import styles from './notice.module.css'
import { shapes } from './shapes.ts'

function watchDialogs(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['open'] })
  return () => observer.disconnect()
}
const ignore = () => () => {}
const openDialog = () => document.querySelector('dialog[open]')
const none = () => null

/** An open dialog makes the rest of the page inert, so the notice is rendered inside it. */
function Topmost({ hasNotice, children }: { hasNotice: boolean; children: ReactNode }) {
  const dialog = useSyncExternalStore(hasNotice ? watchDialogs : ignore, hasNotice ? openDialog : none, none)
  return dialog ? createPortal(children, dialog) : children
}

/** The live regions always exist, because screen readers announce only changes. */
export function NoticeArea() {
  const notice = useStore(noticeStore)
  const isError = notice?.severity === 'error'
  return (
    <Topmost hasNotice={notice !== null}>
      <div className={styles.area}>
        <div role="status">{notice && !isError && <NoticeCard key={notice.id} notice={notice} />}</div>
        <div role="alert">{notice && isError && <NoticeCard key={notice.id} notice={notice} />}</div>
      </div>
    </Topmost>
  )
}

function NoticeCard({ notice }: { notice: Notice }) {
  const { t } = useTranslation()
  return (
    <div className={`${styles.notice} ${styles[notice.severity]}`} data-severity={notice.severity}>
      <Icon shape={notice.severity === 'success' ? shapes.done : shapes.alert} />
      <p>
        <span className="visually-hidden">{t(`ui.severity.${notice.severity}`)}: </span>
        <span className={styles.text}>{notice.text}</span>
      </p>
      {!notice.autoHide && (
        <button type="button" className={styles.close} onClick={resetNotice}>
          {t('ui.close')}
        </button>
      )}
    </div>
  )
}
