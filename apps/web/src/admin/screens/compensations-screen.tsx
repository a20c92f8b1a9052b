import { useTranslation } from 'react-i18next'
import { GiveForm } from '../compensations/give/give-form.tsx'
import { SubjectName } from '../compensations/give/subject-name.tsx'
import { SubjectPick } from '../compensations/give/subject-pick.tsx'
import { CompensationList } from '../compensations/list/compensation-list.tsx'
import { useAddressFilter } from '../kit/address-filter.ts'
import { Screen } from '../kit/screen.tsx'
import { Section } from '../kit/section.tsx'
import { serverPath, tunnelPath } from '../paths.ts'

const nobody = { serverUUID: '', tunnelUUID: '' }

/** The host is part of the address: the page of a host leads here with it chosen. */
export function CompensationsScreen() {
  const { t } = useTranslation('admin')
  const [{ serverUUID, tunnelUUID }, choose] = useAddressFilter(nobody)
  const uuid = serverUUID || tunnelUUID
  const subject = { kind: serverUUID ? 'server' : 'tunnel', uuid } as const
  return (
    <Screen title={t('compensations.title')}>
      <Section title={t('compensations.give')}>
        <p>{t('compensations.about')}</p>
        {uuid ? (
          <>
            <SubjectName subject={subject} onOther={() => choose(nobody)} />
            <GiveForm key={uuid} subject={subject} />
          </>
        ) : (
          <SubjectPick
            onSubject={({ kind, uuid: chosen }) =>
              choose(kind === 'server' ? { serverUUID: chosen } : { tunnelUUID: chosen })
            }
          />
        )}
      </Section>
      <Section title={t('compensations.list')}>
        <CompensationList pathOf={(kind, id) => (kind === 'server' ? serverPath(id) : tunnelPath(id))} />
      </Section>
    </Screen>
  )
}
