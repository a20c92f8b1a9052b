import { getUserDetail, setUserPhone, toLatinDigits, type User } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { brokenRules } from '../../../lib/form.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { EditDialog } from '../../kit/edit-dialog.tsx'
import { userReads } from './touched.ts'

export function PhoneDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { userEmail } = user
  const save = useAct(setUserPhone, { refreshes: userReads })
  return (
    <EditDialog<string | null>
      onClose={onClose}
      edit={{
        title: t('person.phone.title', { email: userEmail }),
        label: t('person.phone.label'),
        hint: t('person.phone.hint'),
        initial: user.userPhone,
        textOf: (phone) => phone ?? '',
        valueOf: (text) => toLatinDigits(text).replace(/[\s()-]/g, '') || null,
        ruleOf: (userPhone) => brokenRules(setUserPhone, { userEmail, userPhone }).userPhone,
        describe: (phone) => (phone === null ? t('person.none') : <bdi dir="ltr">{phone}</bdi>),
        read: async () => (await read(getUserDetail, { userEmail })).userPhone,
        save: (userPhone, basedOn) => save.mutateAsync({ body: { userEmail, userPhone, basedOn } }),
        done: t('person.phone.done', { email: userEmail }),
      }}
    />
  )
}
