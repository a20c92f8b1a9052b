import { getHostPrograms, upgradeHost } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { PagedTable } from '../kit/paged-table.tsx'
import { Section } from '../kit/section.tsx'
import { type HostPrograms, needsUpgrade, type PathOf, useProgramColumns } from './program-columns.tsx'
import { UpgradeDialog } from './upgrade-dialog.tsx'

export function UpgradeList({ pathOf }: { pathOf: PathOf }) {
  const { t } = useTranslation('admin/upgrades')
  const { t: tAdmin } = useTranslation('admin')
  const columns = [
    ...useProgramColumns(pathOf),
    {
      title: tAdmin('upgrades.act'),
      isActs: true,
      cell: (host: HostPrograms) => needsUpgrade(host) && <Upgrade host={host} />,
    },
  ]
  return (
    <Section title={t('upgrades.hosts')}>
      <PagedTable
        call={getHostPrograms}
        body={{}}
        label={t('upgrades.hosts')}
        columns={columns}
        idOf={({ hostUUID }) => hostUUID}
        failed={tAdmin('upgrades.failedToRead')}
        empty={<p>{t('upgrades.none')}</p>}
        isNarrow={false}
      />
    </Section>
  )
}

function Upgrade({ host: { hostUUID, hostName: name } }: { host: HostPrograms }) {
  const { t } = useTranslation('admin/upgrades')
  const { t: tAdmin } = useTranslation('admin')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button aria-label={t('upgrades.actOn', { name })} onClick={() => setOpen(true)}>
        {tAdmin('upgrades.act')}
      </Button>
      {isOpen && (
        <UpgradeDialog
          call={upgradeHost}
          body={{ hostUUID }}
          title={t('upgrades.actTitle', { name })}
          confirm={tAdmin('upgrades.act')}
          done={t('upgrades.actDone', { name })}
          onClose={() => setOpen(false)}
        >
          <p>{tAdmin('upgrades.actText')}</p>
          <p>{tAdmin('upgrades.cuts')}</p>
        </UpgradeDialog>
      )}
    </>
  )
}
