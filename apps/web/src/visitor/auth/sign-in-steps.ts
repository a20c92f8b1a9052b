import type { Answer, signIn } from '@kelid/contract'
import type { ReactNode } from 'react'

export interface Typed {
  readonly email: string
  readonly password: string
}

export type OnSignedIn = (session: Answer<typeof signIn>) => void

export type Shown = readonly [typed?: Typed, step?: ReactNode]
export type Show = (now: Shown) => void
