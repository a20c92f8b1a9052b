/** Markup that is already safe; everything else that enters a template is escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

type Value = string | number | Markup | readonly Markup[]

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function render(value: Value): string {
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map(render).join('')
  return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

export const markup = (strings: TemplateStringsArray, ...values: Value[]): Markup =>
  new Markup(strings.reduce((text, part, index) => text + render(values[index - 1] ?? '') + part))

export const none = new Markup('')

export const joined = (parts: readonly Markup[], separator: string): Markup =>
  new Markup(parts.map(render).join(render(separator)))
