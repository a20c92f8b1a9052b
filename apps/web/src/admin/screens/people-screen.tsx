import { userFilters, userSorts } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Screen } from '../kit/screen.tsx'
import { personPath } from '../paths.ts'
import { usePeopleColumns } from '../users/list/people-columns.tsx'
import { UserList } from '../users/list/user-list.tsx'

export function PeopleScreen() {
  const { t } = useTranslation('admin')
  return (
    <Screen title={t('menu.people')}>
      <UserList
        label={t('menu.people')}
        columns={usePeopleColumns()}
        filters={userFilters}
        sorts={userSorts}
        pathOf={personPath}
      />
    </Screen>
  )
}
