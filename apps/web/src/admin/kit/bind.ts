import type { Form } from '../../lib/form.ts'
import { useRuleText } from './use-rule-text.ts'

export interface BoundField {
  name: string
  value: string
  onValue: (value: string) => void
  onBlur: () => void
  error: string | undefined
  disabled: boolean
  autoComplete: 'off'
}

/** An empty field shows no error when it loses the focus. */
export function useBind<Values extends Record<keyof Values, string>>(form: Form<Values>, isBusy: boolean) {
  const ruleText = useRuleText()
  return (name: keyof Values & string): BoundField => ({
    name,
    value: form.values[name],
    onValue: (value) => form.set(name, value as Values[typeof name]),
    onBlur: () => form.values[name] !== '' && form.touch(name),
    error: ruleText(form.ruleOf(name)),
    disabled: isBusy,
    autoComplete: 'off',
  })
}
