import { withoutControls } from './plain-text.ts'

/** Markup that is already safe; everything else that enters a template is escaped. */
export class Html {
  constructor(readonly markup: string) {}
}

type Value = string | number | Html | readonly Html[]

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  withoutControls(text).replace(/[&<>"']/g, (character) => entities[character] ?? '')

const render = (value: Value): string => {
  if (value instanceof Html) return value.markup
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return value.map(render).join('')
}

export const html = (strings: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(strings.reduce((markup, text, index) => markup + render(values[index - 1] ?? '') + text))

export const nothing = new Html('')
