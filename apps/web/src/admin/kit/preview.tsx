import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Facts } from './facts.tsx'

interface Props {
  /** What the administrator saw before somebody else changed it. */
  saw?: ReactNode
  now: ReactNode
  /** null while nothing sensible is typed. */
  after: ReactNode
}

/** What it is and what it will be; after somebody else's edit also what it was when this began. */
export function Preview({ saw = null, now, after }: Props) {
  const { t } = useTranslation('admin')
  return (
    <div aria-live="polite">
      <Facts
        facts={[
          [t('acts.saw'), saw],
          [t('acts.now'), now],
          [t('acts.after'), after],
        ]}
      />
    </div>
  )
}
