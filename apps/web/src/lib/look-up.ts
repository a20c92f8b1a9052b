import type { TFunction } from 'i18next'
import { type Namespace, namespaces } from './words.ts'

/** Of whichever namespace a screen speaks first. */
export type Translate = TFunction<Namespace>

type AnyTranslate = (key: string, options: object) => string

/** A text whose name only comes to be known while the program runs, wherever it is; empty when there is none. */
export const lookUp = (t: Translate, key: string, parameters: object = {}): string =>
  (t as unknown as AnyTranslate)(key, { ...parameters, ns: namespaces, defaultValue: '' })
