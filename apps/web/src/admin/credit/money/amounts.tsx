import type { Language, User } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { formatDollars, formatNumber } from '../../../lib/format.ts'
import { Mark } from '../../kit/mark.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import styles from './money.module.css'

interface TextProps {
  t: TFunction<'admin'>
  language: Language
}

/** The sign and the words carry the meaning without colours. */
export function Debt({ debt, t, language }: { debt: number } & TextProps) {
  return (
    <Mark is={debt > 0 ? 'bad' : 'good'} icon={debt > 0 ? adminShapes.alert : adminShapes.check}>
      <bdi>{formatDollars(debt, language)}</bdi>
      <span className="visually-hidden">{t(debt > 0 ? 'amounts.owed' : 'amounts.nothingOwed')}</span>
    </Mark>
  )
}

export function Rate({ user, t, language }: { user: User } & TextProps) {
  const rate = formatNumber(user.userCreditRate, language)
  return user.userCustomCreditRate === null ? (
    <span className={styles.quiet}>{t('amounts.rate.usual', { rate })}</span>
  ) : (
    <span>{t('amounts.rate.own', { rate })}</span>
  )
}
