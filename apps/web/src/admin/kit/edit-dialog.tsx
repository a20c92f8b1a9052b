import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../lib/notices.ts'
import { Warning } from '../../shared/dialogs/warning.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { ActDialog } from './act-dialog.tsx'
import { useBasis } from './basis.ts'
import { Preview } from './preview.tsx'
import { useRuleText } from './use-rule-text.ts'

export interface Edit<Value> {
  readonly title: string
  readonly label: string
  readonly hint?: string
  readonly options?: readonly { value: string; label: string }[]
  readonly initial: Value
  readonly textOf: (value: Value) => string
  readonly valueOf: (input: string) => Value
  readonly ruleOf: (value: Value) => string | undefined
  readonly describe: (value: Value) => ReactNode
  readonly warn?: (value: Value) => string | undefined
  readonly read: () => Promise<Value>
  readonly save: (value: Value, basedOn: Value) => Promise<unknown>
  readonly done: string
}

export function EditDialog<Value>({ edit, onClose }: { edit: Edit<Value>; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const ruleText = useRuleText()
  const basis = useBasis(edit.initial, edit.read)
  const [input, setInput] = useState(edit.textOf(edit.initial))
  const [isTouched, setTouched] = useState(false)
  const value = edit.valueOf(input)
  const rule = edit.ruleOf(value)
  const isChanged = rule === undefined && value !== basis.now
  const warning = isChanged ? edit.warn?.(value) : undefined
  const field = { label: edit.label, value: input, onValue: setInput, hint: edit.hint }
  return (
    <ActDialog
      title={edit.title}
      confirm={t('acts.save')}
      isReady={isChanged}
      onChanged={basis.readAgain}
      onClose={onClose}
      onConfirm={async () => {
        await edit.save(value, basis.now)
        notify(edit.done, 'success')
      }}
    >
      {edit.options ? (
        <SelectField {...field} options={edit.options} />
      ) : (
        <TextField
          {...field}
          onBlur={() => setTouched(true)}
          error={isTouched ? ruleText(rule) : undefined}
          autoComplete="off"
          isLatin
        />
      )}
      <Preview
        previous={basis.previous === undefined ? undefined : edit.describe(basis.previous)}
        now={edit.describe(basis.now)}
        after={isChanged ? edit.describe(value) : null}
      />
      {warning && <Warning>{warning}</Warning>}
    </ActDialog>
  )
}
