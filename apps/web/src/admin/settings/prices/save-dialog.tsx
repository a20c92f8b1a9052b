import { getSettings, getUserDetail, getUsers, type Settings, setSettings } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useBasis } from '../../kit/basis.ts'
import { Preview } from '../../kit/preview.tsx'
import { type PriceName, useSettingLines } from '../setting-text.ts'
import { changesOf, type Edits, partOf } from './changes.ts'
import styles from './prices-form.module.css'

interface Props {
  settings: Settings
  edits: Edits
  read: () => Promise<Settings>
  onSaved: () => void
  onClose: () => void
}

export function SaveDialog({ settings, edits, read, onSaved, onClose }: Props) {
  const { t } = useTranslation('admin/settings')
  const save = useAct(setSettings, { refreshes: [getSettings, getUsers, getUserDetail] })
  const basis = useBasis(settings, read)
  const changes = changesOf(basis.now, edits)
  const names = Object.keys(changes) as PriceName[]
  return (
    <ActDialog
      title={t('prices.saveTitle')}
      confirm={t('prices.save')}
      isReady={names.length > 0}
      onChanged={basis.readAgain}
      onClose={onClose}
      onConfirm={async () => {
        await save.mutateAsync({ body: { ...changes, basedOn: partOf(basis.now, names) } })
        notify(t('prices.saved'), 'success')
        onSaved()
      }}
    >
      <Changes previous={basis.previous} now={basis.now} after={{ ...basis.now, ...changes }} />
      <p>{t('prices.saveText')}</p>
    </ActDialog>
  )
}

function Changes({
  previous,
  now,
  after,
}: {
  previous: Settings | undefined
  now: Settings
  after: Settings
}) {
  const linesOf = useSettingLines()
  const [before, present, future] = [previous ?? now, now, after].map((one) => linesOf(one))
  return present?.map(([title, value], index) => {
    const [oldValue = value, newValue = value] = [before?.[index]?.[1], future?.[index]?.[1]]
    if (oldValue === value && newValue === value) return null
    return (
      <section key={title} className={styles.change}>
        <h3>{title}</h3>
        <Preview
          previous={oldValue === value ? null : <bdi>{oldValue}</bdi>}
          now={<bdi>{value}</bdi>}
          after={<bdi>{newValue}</bdi>}
        />
      </section>
    )
  })
}
