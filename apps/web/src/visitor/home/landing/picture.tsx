import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon.tsx'
import { shapes } from '../../../ui/shapes.ts'
import styles from './picture.module.css'

const rows = [
  { name: 'ali_phone', state: 'active', left: 'long' },
  { name: 'sara_home', state: 'active', left: 'short' },
  { name: 'shop_14', state: 'disabled', left: 'long' },
] as const

/** A QR code with the text "VPN". */
const qrPath =
  'M0 .5h7m2 0h1m1 0h2m1 0h7M0 1.5h1m5 0h1m2 0h3m2 0h1m5 0h1M0 2.5h1m1 0h3m1 0h1m1 0h2m1 0h2m1 0h1m1 0h3m1 0h1M0 3.5h1m1 0h3m1 0h1m2 0h1m1 0h1m2 0h1m1 0h3m1 0h1M0 4.5h1m1 0h3m1 0h1m3 0h1m1 0h1m1 0h1m1 0h3m1 0h1M0 5.5h1m5 0h1m5 0h1m1 0h1m5 0h1M0 6.5h7m1 0h1m1 0h1m1 0h1m1 0h7M8 7.5h2m1 0h2M0 8.5h3m1 0h8m1 0h2m3 0h1M0 9.5h3m1 0h2m8 0h1m4 0h1M0 10.5h2m3 0h2m3 0h1m1 0h1m3 0h4M0 11.5h1m1 0h1m1 0h1m2 0h4m3 0h1m3 0h2M3 12.5h1m1 0h3m1 0h2m1 0h1m1 0h1m1 0h1m1 0h1M8 13.5h1m1 0h2m1 0h1m1 0h1m1 0h1M0 14.5h7m1 0h1m2 0h1m1 0h3m2 0h2M0 15.5h1m5 0h1m1 0h6m1 0h3M0 16.5h1m1 0h3m1 0h1m1 0h1m1 0h2m1 0h3m2 0h1m1 0h1M0 17.5h1m1 0h3m1 0h1m2 0h2m3 0h1m3 0h2M0 18.5h1m1 0h3m1 0h1m1 0h2m2 0h1m3 0h1m3 0h1M0 19.5h1m5 0h1m1 0h1m1 0h1m3 0h1m3 0h3M0 20.5h7m1 0h3m1 0h1m1 0h1m1 0h1m1 0h1m1 0h1'

export function Picture() {
  const { t } = useTranslation('visitor/home')
  return (
    <div className={styles.picture} role="img" aria-label={t('home.picture.alt')}>
      <div className={styles.window}>
        <div className={styles.head}>
          <span>{t('home.picture.accounts')}</span>
          <span className={styles.quiet}>{t('home.picture.credit')}</span>
        </div>
        {rows.map(({ name, state, left }) => (
          <div key={name} className={styles.row} data-state={state}>
            <span className={styles.name}>
              <bdi>{name}</bdi>
            </span>
            <Icon shape={state === 'active' ? shapes.done : shapes.alert} size={16} />
            <span>{t(`home.picture.${state}`)}</span>
            <span className={styles.quiet}>{t(`home.picture.${left}`)}</span>
          </div>
        ))}
      </div>
      <div className={styles.phone}>
        <bdi>{rows[0].name}</bdi>
        <svg className={styles.qr} viewBox="-2 -2 25 25" stroke="#000" aria-hidden="true">
          <path d={qrPath} />
        </svg>
        <span className={styles.quiet}>{t('home.picture.scan')}</span>
      </div>
    </div>
  )
}
