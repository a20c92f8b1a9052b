import type { TFunction } from 'i18next'
import { Link } from 'react-router'
import type { Column } from '../../kit/data-table.tsx'
import { Latin } from '../../kit/latin.tsx'
import type { Host } from '../host/host.ts'
import { LoadBar } from '../host/load-bar.tsx'
import { HealthMark, StateMark } from '../host/marks.tsx'

type Columns<Row> = readonly Column<Row>[]

/** What both lists show, around what is only theirs. */
export const hostColumns = <Row,>(
  t: TFunction<'admin'>,
  hostOf: (row: Row) => Host,
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
  { title: t('hosts.state'), cell: (row) => <StateMark host={hostOf(row)} /> },
  { title: t('hosts.health'), cell: (row) => <HealthMark health={hostOf(row).health} /> },
  { title: t('hosts.places'), cell: (row) => <LoadBar host={hostOf(row)} /> },
  ...own,
]
