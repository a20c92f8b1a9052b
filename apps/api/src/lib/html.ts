/** Markup that is already safe; templates escape everything else. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Value = string | number | Html | readonly Html[]

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Removes bidi controls, which would reorder the text around them, and lone surrogates, on which encodeURIComponent
 * throws. The zero-width non-joiner stays: Persian needs it.
 */
export const withoutControls = (text: string): string => text.replace(/[\p{Bidi_Control}\p{Cs}]/gu, '')

export const escapeHtml = (text: string): string =>
  withoutControls(text).replace(/[&<>"']/g, (character) => entities[character] ?? '')

const render = (value: Value): string => {
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(render).join('')
  return escapeHtml(String(value))
}

export const html = (strings: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(strings.reduce((markup, text, index) => markup + render(values[index - 1] ?? '') + text))

export const nothing = new Html('')
