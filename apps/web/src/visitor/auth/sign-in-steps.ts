import type { Answer, signIn } from '@kelid/contract'
import type { ReactNode } from 'react'

export interface Credentials {
  readonly email: string
  readonly password: string
}

export type OnSignedIn = (session: Answer<typeof signIn>) => void

export type SignInState = readonly [typed?: Credentials, step?: ReactNode]
export type Show = (now: SignInState) => void
