import { useTranslation } from 'react-i18next'
import { paths } from '../../lib/paths.ts'
import { sessionStore } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './home-screen.module.css'
import { shapes } from './home-shapes.ts'

const blocks = [
  { key: 'locations', icon: shapes.globe },
  { key: 'tunnels', icon: shapes.speed },
  { key: 'payment', icon: shapes.coin },
] as const

/** What a stranger sees: what it is, why it is quick, how to start. */
export function HomeScreen() {
  const { t } = useTranslation('visitor')
  const isSignedIn = useStore(sessionStore) !== null
  return (
    <div className={styles.home}>
      <section className={styles.promise}>
        <h1>{t('home.title')}</h1>
        <p>{t('home.lead')}</p>
        <div className={styles.actions}>
          {isSignedIn ? (
            <LinkButton kind="primary" to={paths.dashboard}>
              {t('home.toDashboard')}
            </LinkButton>
          ) : (
            <>
              <LinkButton kind="primary" to={paths.signUp}>
                {t('home.start')}
              </LinkButton>
              <LinkButton to={paths.signIn}>{t('home.signIn')}</LinkButton>
            </>
          )}
        </div>
      </section>
      <ul className={styles.blocks}>
        {blocks.map(({ key, icon }) => (
          <li key={key} className={styles.block}>
            <Icon shape={icon} size={24} />
            <h2>{t(`home.${key}.title`)}</h2>
            <p>{t(`home.${key}.text`)}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
