import { getUser, getUserDetail, isAdminLevel, limits, setUserLevel, type User } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { EditDialog } from '../../kit/edit-dialog.tsx'
import { userReads } from './touched.ts'

const levels = Array.from({ length: limits.levelMax + 1 }, (_, level) => level)

/** Levels above 5 are administrators. Warns administrators who demote themselves; the server keeps the last one. */
export function LevelDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { userEmail } = user
  const isSelf = useRead(getUser, {}).data?.userEmail === userEmail
  const save = useAct(setUserLevel, { refreshes: userReads })
  const describe = (level: number) =>
    t(isAdminLevel(level) ? 'person.level.admin' : 'person.level.user', {
      level: formatNumber(level, language),
    })
  const warn = (level: number) => {
    if (isSelf) return t(isAdminLevel(level) ? 'person.level.own' : 'person.level.ownDemotion')
    if (isAdminLevel(level) && !isAdminLevel(user.userLevel)) return t('person.level.promotion')
    return t('person.level.sessions')
  }
  return (
    <EditDialog<number>
      onClose={onClose}
      edit={{
        title: t('person.level.title', { email: userEmail }),
        label: t('people.level'),
        hint: t('person.level.hint'),
        options: levels.map((level) => ({ value: String(level), label: describe(level) })),
        initial: user.userLevel,
        textOf: String,
        valueOf: Number,
        ruleOf: () => undefined,
        describe,
        warn,
        read: async () => (await read(getUserDetail, { userEmail })).userLevel,
        save: (value, basedOn) => save.mutateAsync({ body: { userEmail, value, basedOn } }),
        done: t('person.level.done', { email: userEmail }),
      }}
    />
  )
}
