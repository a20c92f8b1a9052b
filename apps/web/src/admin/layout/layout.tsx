import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, useLocation } from 'react-router'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { adminShapes } from '../kit/shapes.ts'
import styles from './layout.module.css'
import { sectionAt, sections } from './sections.ts'

/** The menu beside the screen where there is room, behind a button where there is not. */
export function Layout({ search }: { search: ReactNode }) {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.layout}>
      <div className={styles.bar}>
        <span className={styles.opener}>
          <Button icon={adminShapes.menu} onClick={() => setOpen(true)}>
            {t('menu.open')}
          </Button>
        </span>
        {search}
      </div>
      <nav className={styles.side} aria-label={t('menu.title')}>
        <Menu />
      </nav>
      <div className={styles.content}>
        <Outlet />
      </div>
      {isOpen && (
        <Dialog title={t('menu.title')} onClose={() => setOpen(false)}>
          <nav aria-label={t('menu.title')}>
            <Menu onChosen={() => setOpen(false)} />
          </nav>
        </Dialog>
      )}
    </div>
  )
}

function Menu({ onChosen }: { onChosen?: () => void }) {
  const { t } = useTranslation('admin')
  const current = sectionAt(useLocation().pathname)
  return (
    <ul className={styles.menu}>
      {sections.map((section) => (
        <li key={section.name}>
          <Link to={section.to} aria-current={section === current ? 'page' : undefined} onClick={onChosen}>
            {t(`menu.${section.name}`)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
