import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Facts } from './facts.tsx'

interface Props {
  previous?: ReactNode
  now: ReactNode
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
