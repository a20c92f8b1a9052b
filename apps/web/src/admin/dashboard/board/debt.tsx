import { useTranslation } from 'react-i18next'
import { formatDollars, formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Section } from '../../kit/section.tsx'
import type { LinkTo } from './links.ts'
import tables from './plain-table.module.css'
import type { Board } from './problems.ts'

export function Debt({ board, linkTo }: { board: Board; linkTo: LinkTo }) {
  const { t: tBoard } = useTranslation('admin/dashboard')
  const language = useLanguage()
  const number = (value: number) => formatNumber(value, language)
  if (board.totalDebt === 0)
    return (
      <Section title={tBoard('board.debt')}>
        <p>{tBoard('board.noDebt')}</p>
      </Section>
    )
  return (
    <Section title={tBoard('board.debt')} actions={linkTo('debt', formatDollars(board.totalDebt, language))}>
      <table className={tables.table}>
        <caption className="visually-hidden">{tBoard('board.debt')}</caption>
        <thead>
          <tr>
            <th scope="col">{tBoard('board.debtAge')}</th>
            <th scope="col">{tBoard('board.debtUsers')}</th>
            <th scope="col">{tBoard('board.debtAmount')}</th>
          </tr>
        </thead>
        <tbody>
          {board.debtByAge.map(({ age, users, debt }) => (
            <tr key={age}>
              <th scope="row">{tBoard(`board.${age}`)}</th>
              <td>{users > 0 ? linkTo(`debt-${age}`, number(users)) : number(users)}</td>
              <td>{formatDollars(debt, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
