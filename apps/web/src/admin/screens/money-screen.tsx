import { debtFilters, type Unit, type UserFilter, type UserSort } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { LinkButton } from '../../ui/button.tsx'
import { useMoneyColumns } from '../credit/money/money-columns.tsx'
import { Screen } from '../kit/screen.tsx'
import { Section } from '../kit/section.tsx'
import { adminShapes } from '../kit/shapes.ts'
import { adminPaths, personPath } from '../paths.ts'
import { PricesInForce } from '../settings/prices-in-force.tsx'
import type { PriceName } from '../settings/setting-text.ts'
import { UserList } from '../users/list/user-list.tsx'

interface Kind {
  readonly unit: Unit
  readonly path: string
  readonly title: 'menu.credit' | 'menu.tunnelCredit' | 'menu.debt'
  readonly filters: readonly UserFilter[]
  readonly sorts: readonly [UserSort, ...UserSort[]]
  readonly prices: readonly PriceName[]
}

const points: Kind = {
  unit: 'points',
  path: adminPaths.credit,
  title: 'menu.credit',
  filters: ['customRate', 'debtors'],
  sorts: ['-userCredit', 'userEmail', '-userCreatedDate'],
  prices: ['defaultCreditRate', 'pointsPerDay', 'pointsPerDayOfWay', 'renewal', 'maxDevices'],
}
const kinds: readonly Kind[] = [
  points,
  {
    unit: 'tunnelCredit',
    path: adminPaths.tunnelCredit,
    title: 'menu.tunnelCredit',
    filters: ['debtors', 'suspended'],
    sorts: ['-userTunnelCredit', 'userEmail', '-userCreatedDate'],
    prices: ['tunnelCreditPerDay'],
  },
  {
    unit: 'dollars',
    path: adminPaths.debt,
    title: 'menu.debt',
    filters: ['debtors', ...debtFilters, 'suspended'],
    sorts: ['-userDebt', 'userDebtSince', 'userEmail'],
    prices: [],
  },
]

export function MoneyScreen() {
  const { pathname } = useLocation()
  const kind = kinds.find(({ path }) => pathname.startsWith(path.slice(0, -1))) ?? points
  return <MoneyOf key={kind.unit} kind={kind} />
}

function MoneyOf({ kind }: { kind: Kind }) {
  const { t } = useTranslation('admin')
  const { t: tSettings } = useTranslation('admin/settings')
  const { columns, dialog } = useMoneyColumns(kind.unit)
  const title = t(kind.title)
  const toPrices = (
    <LinkButton icon={adminShapes.edit} to={adminPaths.prices}>
      {tSettings('prices.change')}
    </LinkButton>
  )
  return (
    <Screen title={title}>
      {kind.prices.length > 0 && (
        <Section title={t('menu.prices')} actions={toPrices}>
          <PricesInForce names={kind.prices} />
        </Section>
      )}
      <UserList
        label={title}
        columns={columns}
        filters={kind.filters}
        sorts={kind.sorts}
        pathOf={personPath}
      />
      {dialog}
    </Screen>
  )
}
