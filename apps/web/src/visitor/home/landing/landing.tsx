import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon.tsx'
import { shapes as common } from '../../../ui/shapes.ts'
import { Contact, contactId } from './contact.tsx'
import styles from './landing.module.css'
import { Picture } from './picture.tsx'
import { shapes } from './shapes.ts'
import { WayIn } from './way-in.tsx'

const blocks = [
  { key: 'locations', icon: shapes.globe },
  { key: 'tunnels', icon: shapes.speed },
  { key: 'payment', icon: shapes.coin },
] as const
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
