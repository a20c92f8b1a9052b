import { useTranslation } from 'react-i18next'
import { formatDollars, formatNumber } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'
import { DataTable } from '../kit/data-table.tsx'
import { Section } from '../kit/section.tsx'
import type { LinkTo } from './links.ts'
import type { Board } from './problems.ts'

/** What is owed, and for how long. */
export function Debt({ board, linkTo }: { board: Board; linkTo: LinkTo }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  if (board.totalDebt === 0)
    return (
      <Section title={t('board.debt')}>
        <p>{t('board.noDebt')}</p>
      </Section>
    )
  return (
    <Section title={t('board.debt')} actions={linkTo('debt', formatDollars(board.totalDebt, language))}>
      <DataTable
        label={t('board.debt')}
        rows={board.debtByAge}
        keyOf={({ age }) => age}
        columns={[
          { title: t('board.debtAge'), cell: ({ age }) => t(`board.${age}`), isName: true },
          {
            title: t('board.debtUsers'),
            cell: ({ users }) =>
              users > 0 ? linkTo('oldDebt', formatNumber(users, language)) : formatNumber(0, language),
            isNumber: true,
          },
          { title: t('board.debtAmount'), cell: ({ debt }) => formatDollars(debt, language), isNumber: true },
        ]}
      />
    </Section>
  )
}
