import type { Unit, User } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { type ReactNode, useCallback, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { AdjustDialog } from './adjust-dialog.tsx'
import styles from './money.module.css'
import { DebtLimitDialog, RateDialog } from './terms-dialogs.tsx'

export type MoneyAct = Unit | 'rate' | 'limit'
export type Ask = (user: User, act: MoneyAct) => void

/** The dialog is outside the table, because its row may disappear while the administrator types. */
export function useMoneyActs(): { ask: Ask; dialog: ReactNode } {
  const [openAct, setOpenAct] = useState<{ user: User; act: MoneyAct } | null>(null)
  const ask: Ask = useCallback((user, act) => setOpenAct({ user, act }), [])
  return {
    ask,
    dialog: openAct && <MoneyDialog {...openAct} onClose={() => setOpenAct(null)} />,
  }
}

function MoneyDialog({ act, ...rest }: { user: User; act: MoneyAct; onClose: () => void }) {
  if (act === 'rate') return <RateDialog {...rest} />
  if (act === 'limit') return <DebtLimitDialog {...rest} />
  return <AdjustDialog unit={act} {...rest} />
}

interface Buttons {
  user: User
  acts: readonly MoneyAct[]
  ask: Ask
  /** The table passes `t` down, because a useTranslation call per row costs more than the row. */
  t: TFunction<'admin'>
}

export function MoneyButtons({ user, acts, ask, t }: Buttons) {
  return (
    <span className={styles.buttons}>
      {acts.map((act) => (
        <Button
          key={act}
          icon={act === 'rate' || act === 'limit' ? adminShapes.edit : adminShapes.coins}
          aria-label={t(`amounts.actOf.${act}`, { email: user.userEmail })}
          onClick={() => ask(user, act)}
        >
          {t(`amounts.act.${act}`)}
        </Button>
      ))}
    </span>
  )
}
