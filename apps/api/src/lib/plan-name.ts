import type { Language } from '@kelid/contract'
import type { PlanNames } from '../db/schema.ts'

/** Plans that were sold before a language was added have no name in it. */
export const planNameIn = (names: PlanNames, lng: Language): string => names[lng] ?? names.en
