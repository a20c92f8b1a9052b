import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Facts } from './facts.tsx'

interface Props {
  /** The value before a concurrent change. */
  previous?: ReactNode
  now: ReactNode
  /** null while the typed value is invalid. */
  after: ReactNode
}

export function Preview({ previous = null, now, after }: Props) {
  const { t } = useTranslation('admin')
  return (
    <div aria-live="polite">
      <Facts
        facts={[
          [t('acts.saw'), previous],
          [t('acts.now'), now],
          [t('acts.after'), after],
        ]}
      />
    </div>
  )
}
