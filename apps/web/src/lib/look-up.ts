import type { TFunction } from 'i18next'
import { type Namespace, namespaces } from './words.ts'

export type Translate = TFunction<Namespace>

type AnyTranslate = (key: string, options: object) => string

/** Looks up keys that are known only at run time; returns '' if there is no text. */
export const lookUp = (t: Translate, key: string, parameters: object = {}): string =>
  (t as unknown as AnyTranslate)(key, { ...parameters, ns: namespaces, defaultValue: '' })
