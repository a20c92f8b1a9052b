import type { Answer, quoteHostMove } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { lookUp } from '../../../lib/look-up.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { Facts } from '../../kit/facts.tsx'
import styles from './detail.module.css'

interface Props {
  quote: Answer<typeof quoteHostMove>
}

export function MovePreview({ quote: { accounts, room, refusal, sameCountry } }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  return (
    <div aria-live="polite" className={styles.preview}>
      <Facts
        facts={[
          [t('hosts.move.accounts'), formatNumber(accounts, language)],
          [t('hosts.move.free'), formatNumber(room, language)],
        ]}
      />
      {refusal && <Warning>{lookUp(t, `errors.${refusal}`, { accounts, room })}</Warning>}
      {!refusal && !sameCountry && <p>{t('hosts.move.otherCountry')}</p>}
    </div>
  )
}
