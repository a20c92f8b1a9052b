import { getSettings, renewals, type Settings, type VpnType, vpnTypes } from '@kelid/contract'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCounted } from '../../../lib/use-counted.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { oneOf } from '../../kit/address-filter.ts'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { useRuleText } from '../../kit/use-rule-text.ts'
import type { PriceName, TypedName } from '../setting-text.ts'
import { brokenRulesOf, changesOf, type Edits, textsOf } from './changes.ts'
import styles from './prices-form.module.css'
import { SaveDialog } from './save-dialog.tsx'

export function PricesForm() {
  const { t } = useTranslation('admin/settings')
  const settings = useRead(getSettings, {})
  useReadNotice(settings.error, t('prices.failed'))
  if (!settings.data) return <ReadState read={settings} failed={t('prices.failed')} />
  const read = async () => (await settings.refetch({ throwOnError: true })).data ?? settings.data
  return <Fields settings={settings.data} read={read} />
}

type Sold = 'unlimitedAccounts' | 'customAccounts'
type Number = Exclude<PriceName, TypedName | 'renewal' | Sold>

function Fields({ settings, read }: { settings: Settings; read: () => Promise<Settings> }) {
  const { t } = useTranslation('admin/settings')
  const counted = useCounted()
  const ruleText = useRuleText()
  const [edits, setEdits] = useState<Edits>({})
  const [isAsking, setAsking] = useState(false)
  const texts = textsOf(settings, edits)
  const renewal = oneOf(renewals, texts.renewal) ?? settings.renewal
  const errors = brokenRulesOf(texts)
  const changed = Object.keys(changesOf(settings, edits)).length
  const isReady = Object.keys(errors).length === 0 && changed > 0
  const set = (edit: Edits) => setEdits((before) => ({ ...before, ...edit }))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isReady) setAsking(true)
  }
  const number = { inputMode: 'numeric', autoComplete: 'off', isLatin: true } as const
  const field = (name: Number, hint: string) => (
    <TextField
      {...number}
      label={t(`prices.${name}`)}
      hint={hint}
      value={texts[name]}
      onValue={(value) => set({ [name]: value })}
      error={ruleText(errors[name])}
    />
  )
  const typedField = (name: TypedName) => (type: VpnType) => (
    <TextField
      {...number}
      key={type}
      label={t(`prices.${name}`, { type: t(`vpnTypes.${type}`) })}
      value={texts[`${name}.${type}`]}
      onValue={(value) => set({ [`${name}.${type}`]: value })}
      error={ruleText(errors[`${name}.${type}`])}
    />
  )
  const soldField = (name: Sold, hint: string) => (
    <SelectField
      label={t(`prices.${name}`)}
      value={texts[name]}
      onValue={(value) => set({ [name]: value })}
      options={(['true', 'false'] as const).map((value) => ({ value, label: t(`prices.sold.${value}`) }))}
      hint={hint}
    />
  )
  return (
    <>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Section title={t('prices.creditTitle')}>
          <div className={styles.fields}>
            {field('defaultCreditRate', t('prices.rateHint'))}
            {vpnTypes.map(typedField('pointsPerDay'))}
            {field('tunnelCreditPerDay', t('prices.tunnelHint'))}
            {vpnTypes.map(typedField('pointsPerGB'))}
            {field('pointsPerDayOfWay', t('prices.wayHint'))}
            {field('pointsPerDayOfDevice', t('prices.deviceHint'))}
          </div>
        </Section>
        <Section title={t('prices.rulesTitle')}>
          <div className={styles.fields}>
            <SelectField
              label={t('prices.renewal')}
              value={renewal}
              onValue={(value) => set({ renewal: value })}
              options={renewals.map((value) => ({ value, label: t(`prices.renewals.${value}`) }))}
              hint={t(`prices.renewalText.${renewal}`)}
            />
            {field('maxDevices', t('prices.devicesHint'))}
            {soldField('unlimitedAccounts', t('prices.unlimitedHint'))}
            {soldField('customAccounts', t('prices.customHint'))}
            {field('firstUseWaitDays', t('prices.firstUseHint'))}
          </div>
        </Section>
        <Section title={t('prices.waysTitle')}>
          <p>{t('prices.waysText')}</p>
          <div className={styles.fields}>
            {vpnTypes.map(typedField('waysPerAccount'))}
            {field('replaceDownAfter', t('prices.replaceHint'))}
          </div>
        </Section>
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" icon={adminShapes.check} disabled={!isReady}>
            {t('prices.review')}
          </Button>
          {Object.keys(edits).length > 0 && <Button onClick={() => setEdits({})}>{t('prices.undo')}</Button>}
          <p aria-live="polite">{t('prices.changed', counted(changed))}</p>
        </div>
      </form>
      {isAsking && (
        <SaveDialog
          settings={settings}
          edits={edits}
          read={read}
          onSaved={() => setEdits({})}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
