import { clearUserContact, getUserDetail, type UserDetail } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useBasis } from '../../kit/basis.ts'
import { Preview } from '../../kit/preview.tsx'
import { userReads } from './touched.ts'

/** Text, never a link: a reseller wrote it. */
export const Contact = ({ contact }: { contact: string }) => {
  const { t } = useTranslation('admin')
  return contact ? <bdi>{contact}</bdi> : t('person.contact.brand')
}

export function ContactDialog({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { userEmail } = user
  const basis = useBasis(user.userContact, async () => (await read(getUserDetail, { userEmail })).userContact)
  const clear = useAct(clearUserContact, { refreshes: userReads })
  return (
    <ActDialog
      title={t('person.contact.title', { email: userEmail })}
      confirm={t('person.contact.clear')}
      kind="danger"
      isReady={basis.now !== ''}
      onChanged={basis.readAgain}
      onClose={onClose}
      onConfirm={async () => {
        await clear.mutateAsync({ body: { userEmail, basedOn: basis.now } })
        notify(t('person.contact.done', { email: userEmail }), 'success')
      }}
    >
      <p>{t('person.contact.text')}</p>
      <Preview
        previous={basis.previous === undefined ? null : <Contact contact={basis.previous} />}
        now={<Contact contact={basis.now} />}
        after={basis.now === '' ? null : <Contact contact="" />}
      />
    </ActDialog>
  )
}
