import { getUserDetail, setUserPhone, toLatinDigits, type User } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { brokenRules } from '../../../lib/form.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { EditDialog } from '../../kit/edit-dialog.tsx'
import { showingUser } from './touched.ts'

/** An empty phone removes it. */
export function PhoneDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { userEmail } = user
  const save = useAct(setUserPhone, { refreshes: showingUser })
  return (
    <EditDialog<string | null>
      onClose={onClose}
      edit={{
        title: t('person.phone.title', { email: userEmail }),
        label: t('person.phone.label'),
        hint: t('person.phone.hint'),
        shown: user.userPhone,
        textOf: (phone) => phone ?? '',
        valueOf: (typed) => toLatinDigits(typed).replace(/[\s()-]/g, '') || null,
        ruleOf: (userPhone) => brokenRules(setUserPhone, { userEmail, userPhone }).userPhone,
        say: (phone) => (phone === null ? t('person.none') : <bdi dir="ltr">{phone}</bdi>),
        read: async () => (await read(getUserDetail, { userEmail })).userPhone,
        save: (userPhone, basedOn) => save.mutateAsync({ body: { userEmail, userPhone, basedOn } }),
        done: t('person.phone.done', { email: userEmail }),
      }}
    />
  )
}
