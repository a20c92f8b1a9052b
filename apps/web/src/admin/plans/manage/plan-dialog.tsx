import {
  accountStarts,
  addPlan,
  changePlan,
  dataResets,
  getAllPlans,
  languageFacts,
  languages,
  limits,
  type Plan,
} from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { brokenRules } from '../../../lib/form.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'
import { uuidV4 } from '../../kit/uuid.ts'
import { bodyOf, emptyPlan, type PlanValues, valuesOf } from './plan-values.ts'
import styles from './plans.module.css'
import { ResellersField } from './resellers-field.tsx'
import { WaysField } from './ways-field.tsx'

type NumberName =
  | 'accountDuration'
  | 'accountDataLimit'
  | 'accountMaxDevices'
  | 'planPoints'
  | 'planTunnelCredit'

/** Without a plan it adds one. */
export function PlanDialog({ plan, onClose }: { plan?: Plan; onClose: () => void }) {
  const { t } = useTranslation('admin/plans')
  const language = useLanguage()
  const ruleText = useRuleText()
  const [values, setValues] = useState(plan ? valuesOf(plan) : emptyPlan)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [basedOn, setBasedOn] = useState(plan?.planRevision)
  const [planUUID] = useState(() => plan?.planUUID ?? uuidV4())
  const change = useAct(changePlan, { refreshes: [getAllPlans] })
  const add = useAct(addPlan, { refreshes: [getAllPlans] })
  const body = bodyOf(values)
  const broken = brokenRules(addPlan, { ...body, planUUID, planActive: true })
  const name = values.planNames[language].trim()
  const set = (next: Partial<PlanValues>) => setValues((before) => ({ ...before, ...next }))
  const touch = (field: string) => setTouched((before) => new Set(before).add(field))

  /** A change by somebody else replaces what was typed, because it was typed over an outdated plan. */
  async function readAgain() {
    const latest = (await read(getAllPlans, {})).items.find((one) => one.planUUID === planUUID)
    if (!latest) return
    setValues(valuesOf(latest))
    setBasedOn(latest.planRevision)
  }

  async function save() {
    if (plan) await change.mutateAsync({ body: { ...body, planUUID, basedOn } })
    else await add.mutateAsync({ body: { ...body, planUUID, planActive: true } })
    notify(t(plan ? 'plans.saved' : 'plans.added', { name }), 'success')
  }

  const number = (field: NumberName, label: string, hint?: string) => (
    <TextField
      label={label}
      hint={hint}
      value={values[field]}
      onValue={(value) => set({ [field]: value })}
      onBlur={() => touch(field)}
      error={touched.has(field) ? ruleText(broken[field]) : undefined}
      inputMode="numeric"
      autoComplete="off"
      isLatin
    />
  )
  const isWrong = (one: (typeof languages)[number]) =>
    touched.has(`name ${one}`) && !isName(values.planNames[one])
  return (
    <ActDialog
      title={plan ? t('plans.edit', { name: plan.planNames[language] }) : t('plans.add')}
      confirm={t('plans.save')}
      isReady={Object.keys(broken).length === 0}
      onConfirm={save}
      onChanged={readAgain}
      onClose={onClose}
    >
      {languages.map((one) => (
        <TextField
          key={one}
          label={t('plans.nameIn', { language: languageFacts[one].ownName })}
          value={values.planNames[one]}
          onValue={(text) => set({ planNames: { ...values.planNames, [one]: text } })}
          onBlur={() => touch(`name ${one}`)}
          error={isWrong(one) ? t('rules.planName') : undefined}
          autoComplete="off"
          dir={languageFacts[one].dir}
        />
      ))}
      <WaysField ways={values.planWays} onWays={(planWays) => set({ planWays })} />
      <div className={styles.pair}>
        {number('accountDuration', t('plans.duration'))}
        {number('accountMaxDevices', t('plans.devicesAtOnce'), t('plans.devicesHint'))}
      </div>
      <div className={styles.pair}>
        {number('accountDataLimit', t('plans.data'), t('plans.dataHint'))}
        <SelectField
          label={t('plans.reset')}
          value={values.accountDataReset}
          onValue={(value) => set({ accountDataReset: value })}
          disabled={values.accountDataLimit.trim() === ''}
          options={dataResets.map((value) => ({ value, label: t(`plans.resets.${value}`) }))}
        />
      </div>
      <SelectField
        label={t('plans.start')}
        value={values.accountStart}
        onValue={(value) => set({ accountStart: value })}
        options={accountStarts.map((value) => ({ value, label: t(`plans.starts.${value}`) }))}
      />
      <div className={styles.pair}>
        {number('planPoints', t('plans.pricePoints'))}
        {number('planTunnelCredit', t('plans.priceTunnelCredit'))}
      </div>
      <ResellersField
        isForAll={values.planForAll}
        emails={values.planResellers}
        onChange={(planForAll, planResellers) => set({ planForAll, planResellers })}
      />
      <p className={styles.quiet}>{t(plan ? 'plans.editText' : 'plans.addText')}</p>
    </ActDialog>
  )
}

const isName = (name: string) => name.trim() !== '' && name.trim().length <= limits.textMax
