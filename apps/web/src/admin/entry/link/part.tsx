import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { currentLanguage } from '../../../lib/current-language.ts'
import { loadWords } from '../../../lib/load-words.ts'
import { paths } from '../../../lib/paths.ts'
import { Icon, type Shape } from '../../../ui/icon.tsx'
import { SecondFactorOffer } from './offer.tsx'

export type AdminEntryPartProps = { is: 'link'; className: string } | { is: 'offer' }

const Part = (props: AdminEntryPartProps) =>
  props.is === 'link' ? <AdminLink className={props.className} /> : <SecondFactorOffer />

export async function loadPart() {
  await loadWords(i18next, currentLanguage(), ['admin/entry'])
  return Part
}

const shield: Shape = {
  path: 'M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z M9 12l2 2 4-4',
}

function AdminLink({ className }: { className: string }) {
  const { t } = useTranslation('admin/entry')
  return (
    <NavLink to={paths.admin} className={className}>
      <Icon shape={shield} />
      {t('entry.link')}
    </NavLink>
  )
}
