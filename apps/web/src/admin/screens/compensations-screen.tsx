import { useTranslation } from 'react-i18next'
import { GiveDays } from '../compensations/give/give-days.tsx'
import { CompensationList } from '../compensations/list/compensation-list.tsx'
import { useAddressFilter } from '../kit/address-filter.ts'
import { Screen } from '../kit/screen.tsx'
import { Section } from '../kit/section.tsx'
import { serverPath, tunnelPath } from '../paths.ts'

const noHost = { serverUUID: '', tunnelUUID: '' }

export function CompensationsScreen() {
  const { t } = useTranslation('admin')
  const [{ serverUUID, tunnelUUID }, choose] = useAddressFilter(noHost)
  const uuid = serverUUID || tunnelUUID
  const subject = uuid ? ({ kind: serverUUID ? 'server' : 'tunnel', uuid } as const) : null
  return (
    <Screen title={t('compensations.title')}>
      <Section title={t('compensations.give')}>
        <p>{t('compensations.about')}</p>
        <GiveDays
          subject={subject}
          onSubject={(selected) =>
            choose({ ...noHost, ...(selected && { [`${selected.kind}UUID`]: selected.uuid }) })
          }
        />
      </Section>
      <Section title={t('compensations.list')}>
        <CompensationList pathOf={(kind, id) => (kind === 'server' ? serverPath(id) : tunnelPath(id))} />
      </Section>
    </Screen>
  )
}
