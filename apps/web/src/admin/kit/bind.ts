import type { Form } from '../../lib/form.ts'
import { useRuleText } from './use-rule-text.ts'

/** What a text field needs of the form it is in. */
export interface BoundField {
  name: string
  value: string
  onValue: (value: string) => void
  onBlur: () => void
  error: string | undefined
  disabled: boolean
  autoComplete: 'off'
}

/** A field by its name. An empty one that is left says nothing yet. */
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
