import { useTranslation } from 'react-i18next'
import { useBrand } from '../../../lib/brand.ts'
import { sessionStore } from '../../../lib/session.ts'
import { useStore } from '../../../lib/store.ts'
import { useIsHydrated } from '../../../lib/use-is-hydrated.ts'
import { ContactLink } from '../../../ui/appearance/contact-line.tsx'
import { LinkButton } from '../../../ui/button.tsx'
import { Icon, type Shape } from '../../../ui/icon.tsx'
import { shapes as common } from '../../../ui/shapes.ts'
import styles from './landing.module.css'
import { Picture } from './picture.tsx'

/** Icons from Lucide (ISC licence) for the landing page. */
const shapes = {
  globe: {
    path: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0 M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20 M2 12h20',
  },
  speed: {
    path: 'M15.914 4a1.5 1.5 0 00-2.474-1.561l-9 9A1.5 1.5 0 005.5 14h4.002a.5.5 0 01.471.666L8.086 20a1.5 1.5 0 002.475 1.56l9-9A1.5 1.5 0 0018.5 10h-3.997a.5.5 0 01-.472-.667z',
  },
  coin: {
    path: 'M11.767 19.089c4.924.868 6.14-6.025 1.216-6.894m-1.216 6.894L5.86 18.047m5.908 1.042-.347 1.97m1.563-8.864c4.924.869 6.14-6.025 1.215-6.893m-1.215 6.893-3.94-.694m5.155-6.2L8.29 4.26m5.908 1.042.348-1.97M7.48 20.364l3.126-17.727',
  },
} as const satisfies Record<string, Shape>

const blocks = [
  { key: 'locations', icon: shapes.globe },
  { key: 'tunnels', icon: shapes.speed },
  { key: 'payment', icon: shapes.coin },
] as const
const contactId = 'contact'
const steps = ['signUp', 'points', 'handOver'] as const
const facts = ['oneDay', 'quote', 'noRenewal'] as const

interface Props {
  toSignUp: string
  toSignIn: string
  toDashboard: string
}

export function Landing(ways: Props) {
  const { t } = useTranslation('visitor/home')
  return (
    <div className={styles.home}>
      <section className={styles.hero}>
        <div className={styles.promise}>
          <h1>{t('home.title')}</h1>
          <p>{t('home.lead')}</p>
          <WayIn {...ways} />
        </div>
        <Picture />
      </section>
      <ul className={styles.blocks}>
        {blocks.map(({ key, icon }) => (
          <li key={key} className={styles.block}>
            <Icon shape={icon} size={24} />
            <h2>{t(`home.${key}.title`)}</h2>
            <p>{t(`home.${key}.text`)}</p>
            {key === 'payment' && <a href={`#${contactId}`}>{t('home.payment.toContact')}</a>}
          </li>
        ))}
      </ul>
      <section className={styles.part}>
        <h2>{t('home.steps.title')}</h2>
        <ol className={styles.steps}>
          {steps.map((key) => (
            <li key={key} className={styles.step}>
              <h3>{t(`home.steps.${key}.title`)}</h3>
              <p>{t(`home.steps.${key}.text`)}</p>
            </li>
          ))}
        </ol>
      </section>
      <div className={styles.end}>
        <section className={styles.part}>
          <h2>{t('home.cost.title')}</h2>
          <p>{t('home.cost.text')}</p>
          <ul className={styles.facts}>
            {facts.map((key) => (
              <li key={key}>
                <Icon shape={common.done} />
                {t(`home.cost.${key}`)}
              </li>
            ))}
          </ul>
        </section>
        <Contact />
      </div>
    </div>
  )
}

function Contact() {
  const { t } = useTranslation('visitor/home')
  const isHydrated = useIsHydrated()
  const contact = useBrand().brandContact.trim()
  return (
    <section className={styles.part} id={contactId}>
      <h2>{t('home.contact.title')}</h2>
      <p>{t('home.contact.text')}</p>
      <p className={styles.contact}>
        {isHydrated && (contact ? <ContactLink contact={contact} /> : t('home.contact.none'))}
      </p>
    </section>
  )
}

function WayIn({ toSignUp, toSignIn, toDashboard }: Props) {
  const { t } = useTranslation('visitor/home')
  const isSignedIn = useStore(sessionStore) !== null
  return (
    <div className={styles.actions}>
      {isSignedIn ? (
        <LinkButton kind="primary" to={toDashboard}>
          {t('home.toDashboard')}
        </LinkButton>
      ) : (
        <>
          <LinkButton kind="primary" to={toSignUp}>
            {t('home.start')}
          </LinkButton>
          <LinkButton to={toSignIn}>{t('home.signIn')}</LinkButton>
        </>
      )}
    </div>
  )
}
