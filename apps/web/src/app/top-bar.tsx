import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useBrand } from '../lib/brand.ts'
import { paths } from '../lib/paths.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { shapes } from '../ui/shapes.ts'
import { LanguageSwitch } from './language-switch.tsx'
import styles from './shell.module.css'

/** The back arrow leads home from the first page of a visit. */
export function TopBar() {
  const { t } = useTranslation()
  const { pathname, key } = useLocation()
  const navigate = useNavigate()
  const brand = useBrand()
  const isFirstPage = key === 'default'
  return (
    <header className={styles.top}>
      {pathname === paths.home ? (
        <span className={styles.logo}>
          <Icon shape={shapes.key} size={24} />
          <bdi>{brand.brandName}</bdi>
        </span>
      ) : (
        <IconButton
          icon={shapes.back}
          label={t('shell.back')}
          onClick={() => void (isFirstPage ? navigate(paths.home) : navigate(-1))}
        />
      )}
      <LanguageSwitch />
    </header>
  )
}
