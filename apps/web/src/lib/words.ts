import type { TFunction } from 'i18next'

/** Each folder of these has words of its own, a namespace to i18next; `app` is what every page has. */
export const namespaces = ['app', 'calls', 'shared', 'visitor', 'reseller', 'admin'] as const
export type Namespace = (typeof namespaces)[number]

/** Of whichever namespace a screen speaks first. */
export type Translate = TFunction<Namespace>

type AnyTranslate = (key: string, options: object) => string

/** A text whose name only comes to be known while the program runs, wherever it is; empty when there is none. */
export const lookUp = (t: Translate, key: string, parameters: object = {}): string =>
  (t as unknown as AnyTranslate)(key, { ...parameters, ns: namespaces, defaultValue: '' })
