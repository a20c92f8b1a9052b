import { Fragment, type ReactNode } from 'react'
import styles from './facts.module.css'

export const Facts = ({ facts }: { facts: readonly (readonly [title: string, value: ReactNode])[] }) => (
  <dl className={styles.facts}>
    {facts
      .filter(([, value]) => value !== null && value !== '')
      .map(([title, value]) => (
        <Fragment key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
  </dl>
)
