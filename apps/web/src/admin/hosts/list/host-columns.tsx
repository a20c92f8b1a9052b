import type { TFunction } from 'i18next'
import { Link } from 'react-router'
import type { Column } from '../../kit/data-table.tsx'
import { Latin } from '../../kit/latin.tsx'
import type { ListedHost } from '../host/host.ts'
import { LoadBar } from '../host/load-bar.tsx'
import { HealthMark, StateMark } from '../host/marks.tsx'

type Columns<Row> = readonly Column<Row>[]

export const hostColumns = <Row,>(
  t: TFunction<'admin'>,
  hostOf: (row: Row) => ListedHost,
  pathOf: (uuid: string) => string,
  { type, own = [] }: { type: (row: Row) => string; own?: Columns<Row> },
): Columns<Row> => [
  {
    title: t('hosts.name'),
    isName: true,
    cell: (row) => (
      <Link to={pathOf(hostOf(row).uuid)}>
        <Latin>{hostOf(row).name}</Latin>
      </Link>
    ),
  },
  { title: t('hosts.url'), cell: (row) => <Latin>{hostOf(row).url}</Latin> },
  { title: t('hosts.type'), cell: (row) => <Latin>{type(row)}</Latin> },
  {
    title: t('hosts.state'),
    cell: (row) => {
      const { state, isPaused = false } = hostOf(row)
      return state && <StateMark host={{ state, isPaused }} />
    },
  },
  {
    title: t('hosts.health'),
    cell: (row) => {
      const { health } = hostOf(row)
      return health && <HealthMark health={health} />
    },
  },
  {
    title: t('hosts.places'),
    cell: (row) => {
      const { accounts, maxAccounts } = hostOf(row)
      if (accounts === undefined || maxAccounts === undefined) return undefined
      return <LoadBar host={{ accounts, maxAccounts }} />
    },
  },
  ...own,
]
