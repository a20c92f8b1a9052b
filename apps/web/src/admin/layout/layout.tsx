import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, useLocation } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { adminShapes } from '../kit/shapes.ts'
import { Drawer } from './drawer.tsx'
import styles from './layout.module.css'
import { sectionAt, sections } from './sections.ts'

export function Layout({ search }: { search: ReactNode }) {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(false)
  const { key } = useLocation()
  // Closes on every navigation, including the browser's back button.
  useEffect(() => setOpen(false), [key])
  return (
    <div className={styles.layout}>
      <div className={styles.bar}>
        <span className={styles.opener}>
          <Button
            icon={adminShapes.menu}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(true)}
          >
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
        <Drawer title={t('menu.title')} onClose={() => setOpen(false)}>
          <nav aria-label={t('menu.title')}>
            <Menu />
          </nav>
        </Drawer>
      )}
    </div>
  )
}

function Menu() {
  const { t } = useTranslation('admin')
  const current = sectionAt(useLocation().pathname)
  return (
    <ul className={styles.menu}>
      {sections.map((section) => (
        <li key={section.name}>
          <Link to={section.to} aria-current={section === current ? 'page' : undefined}>
            {t(`menu.${section.name}`)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
