import { signIn } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { act } from '../../../calls/api.ts'
import { loadPart } from '../../../lib/lazy-screen.tsx'
import { notify } from '../../../lib/notices.ts'
import { openSession } from '../../../lib/session.ts'
import type { OnSignedIn, Show, Typed } from '../sign-in-steps.ts'

/**
 * What a visitor's form needs as soon as somebody uses it: the rules, the way to the server, the words for a refusal. A page
 * comes without it, for a first visit must be light.
 */
export { checkOtp, sendOtp, signUp, toLatinDigits } from '@kelid/contract'
export { notifyError } from '../../../calls/explain.ts'
export { strengthOf } from '../../../calls/password-strength.ts'
export { act, signIn }

/** Whoever has a second factor is asked for its code, by a part of the program that nobody else fetches. */
export async function enter(typed: Typed, t: TFunction<'visitor'>, onWelcome: () => void, show: Show) {
  const onSignedIn: OnSignedIn = ({ token, userLevel }) => {
    openSession(token, userLevel)
    notify(t('auth.signedIn'), 'success')
    onWelcome()
  }
  try {
    onSignedIn(await act(signIn, typed))
  } catch (error) {
    if ((error as { type?: string }).type !== 'SECOND_FACTOR_REQUIRED') throw error
    const { askForCode } = await loadPart(() => import('../second-factor/code-step.tsx'))
    await askForCode(typed, onSignedIn, show)
  }
}
