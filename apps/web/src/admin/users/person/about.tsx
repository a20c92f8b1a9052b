import {
  getUserDetail,
  isAdminLevel,
  setUserPhone,
  toLatinDigits,
  type User,
  type UserDetail,
} from '@kelid/contract'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { brokenRules } from '../../../lib/form.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Shape } from '../../../ui/icon.tsx'
import { EditDialog } from '../../kit/edit-dialog.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Mark } from '../../kit/mark.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { Contact, ContactDialog } from './contact-dialog.tsx'
import { LevelDialog } from './level-dialog.tsx'
import styles from './person.module.css'
import { ResetPassword } from './reset-password.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'
import { userReads } from './touched.ts'

const dialogs = {
  level: LevelDialog,
  phone: PhoneDialog,
  contact: ContactDialog,
  password: ResetPassword,
  suspension: SuspendDialog,
} as const
type Act = keyof typeof dialogs

export function About({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin')
  const [act, setAct] = useState<Act | null>(null)
  const OpenDialog = act && dialogs[act]
  const button = (name: Act, icon: Shape, text: string) => (
    <Button icon={icon} onClick={() => setAct(name)}>
      {text}
    </Button>
  )
  return (
    <Section title={t('person.about')}>
      <UserFacts user={user} />
      <div className={styles.buttons}>
        {button('level', adminShapes.edit, t('person.level.action'))}
        {button('phone', adminShapes.edit, t('person.phone.action'))}
        {user.userContact !== '' && button('contact', adminShapes.ban, t('person.contact.clear'))}
        {button('password', adminShapes.key, t('person.password.action'))}
        {button(
          'suspension',
          user.userSuspended ? adminShapes.check : adminShapes.ban,
          t(user.userSuspended ? 'person.suspension.lift' : 'person.suspension.suspend'),
        )}
      </div>
      {OpenDialog && <OpenDialog user={user} onClose={() => setAct(null)} />}
    </Section>
  )
}

function UserFacts({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { userLevel, userSuspendedDate: suspendedDate, userLastSeenDate: lastSeen } = user
  const suspended: ReactNode = user.userSuspended && (
    <>
      <Mark is="bad" icon={adminShapes.ban}>
        {t('people.suspended')}
      </Mark>{' '}
      {suspendedDate && <When date={suspendedDate} />}
      {user.userAccountsClosed && ` · ${t('person.suspension.closed')}`}
      <span className={styles.reason}>
        <bdi>{user.userSuspendedReason}</bdi>
      </span>
    </>
  )
  return (
    <Facts
      facts={[
        [
          t('people.state'),
          suspended || (
            <Mark is="good" icon={adminShapes.check}>
              {t('person.inGoodStanding')}
            </Mark>
          ),
        ],
        [
          t('people.level'),
          <span key="level">
            <bdi>{formatNumber(userLevel, language)}</bdi>
            {isAdminLevel(userLevel) && ` · ${t('people.admin')}`}
          </span>,
        ],
        [t('person.phone.label'), user.userPhone ? <bdi dir="ltr">{user.userPhone}</bdi> : t('person.none')],
        [t('person.contact.label'), <Contact key="contact" contact={user.userContact} />],
        [t('people.since'), <When key="since" date={user.userCreatedDate} />],
        [t('person.lastSeen'), lastSeen ? <When date={lastSeen} /> : t('person.unknown')],
      ]}
    />
  )
}

function PhoneDialog({ user, onClose }: { user: User; onClose: () => void }) {
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
