import type { Answer, signIn } from '@kelid/contract'
import type { ReactNode } from 'react'

export interface Typed {
  readonly email: string
  readonly password: string
}

export type OnSignedIn = (session: Answer<typeof signIn>) => void

/** What the form was filled in with, and what is shown in its place. */
export type Shown = readonly [typed?: Typed, step?: ReactNode]
export type Show = (now: Shown) => void
