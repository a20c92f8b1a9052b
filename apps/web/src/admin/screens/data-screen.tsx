import { getDataSold } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useRead } from '../../shared/reads/query.ts'
import { ReadState } from '../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../shared/reads/use-read-notice.ts'
import { Screen } from '../kit/screen.tsx'
import { serverPath, tunnelPath } from '../paths.ts'
import { DataByHost, DataByPlan } from '../sales/report/data-tables.tsx'

export function DataScreen() {
  const { t } = useTranslation('admin')
  const { t: tSales } = useTranslation('admin/sales')
  const report = useRead(getDataSold, {})
  useReadNotice(report.error, tSales('dataSold.failed'))
  return (
    <Screen title={t('menu.data')}>
      <p>{tSales('dataSold.about')}</p>
      {report.data ? (
        <>
          <DataByHost
            report={report.data}
            linkToHost={(kind, uuid, name) => (
              <Link to={kind === 'server' ? serverPath(uuid) : tunnelPath(uuid)}>{name}</Link>
            )}
          />
          <DataByPlan report={report.data} />
        </>
      ) : (
        <ReadState read={report} failed={tSales('dataSold.failed')} />
      )}
    </Screen>
  )
}
