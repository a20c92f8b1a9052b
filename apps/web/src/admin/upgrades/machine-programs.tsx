import { getHostPrograms, upgradeHost } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../shared/reads/query.ts'
import { ReadState } from '../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../shared/reads/use-read-notice.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../kit/data-table.tsx'
import { Section } from '../kit/section.tsx'
import { needsUpgrade, type PathOf, useProgramColumns } from './program-columns.tsx'
import { UpgradeDialog } from './upgrade-dialog.tsx'

/** The services of one machine, which are upgraded together. */
export function MachinePrograms({ machineIPV4, pathOf }: { machineIPV4: string; pathOf: PathOf }) {
  const { t } = useTranslation('admin')
  const programs = useRead(getHostPrograms, { machineIPV4 })
  useReadNotice(programs.error, t('upgrades.failedToRead'))
  const columns = useProgramColumns(pathOf)
  const [outdated] = programs.data?.items.filter(needsUpgrade) ?? []
  return (
    <Section
      title={t('upgrades.programs')}
      actions={outdated && <UpgradeMachine hostUUID={outdated.hostUUID} />}
    >
      {programs.data ? (
        <DataTable
          label={t('upgrades.programs')}
          columns={columns}
          rows={programs.data.items}
          keyOf={({ hostUUID }) => hostUUID}
        />
      ) : (
        <ReadState read={programs} failed={t('upgrades.failedToRead')} />
      )}
    </Section>
  )
}

function UpgradeMachine({ hostUUID }: { hostUUID: string }) {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('upgrades.machine')}</Button>
      {isOpen && (
        <UpgradeDialog
          call={upgradeHost}
          body={{ hostUUID }}
          title={t('upgrades.machineTitle')}
          confirm={t('upgrades.act')}
          done={t('upgrades.machineDone')}
          onClose={() => setOpen(false)}
        >
          <p>{t('upgrades.actText')}</p>
          <p>{t('upgrades.cuts')}</p>
        </UpgradeDialog>
      )}
    </>
  )
}
