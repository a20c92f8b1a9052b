import { signIn } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { act } from '../../../calls/api.ts'
import { loadPart } from '../../../lib/lazy-screen.tsx'
import { notify } from '../../../lib/notices.ts'
import { openSession } from '../../../lib/session.ts'
import type { Credentials, OnSignedIn, Show } from '../sign-in-steps.ts'

/** Forms load this on first use, to keep the first visit small. */
export { checkOtp, sendOtp, signUp, toLatinDigits } from '@kelid/contract'
export { notifyError } from '../../../calls/explain.ts'
export { strengthOf } from '../../../calls/password-strength.ts'
export { act, signIn }

/** The code step is a separate chunk, because few users have a second factor. */
export async function enter(
  credentials: Credentials,
  t: TFunction<'visitor'>,
  onWelcome: () => void,
  show: Show,
) {
  const onSignedIn: OnSignedIn = ({ token, userLevel }) => {
    openSession(token, userLevel)
    notify(t('auth.signedIn'), 'success')
    onWelcome()
  }
  try {
    onSignedIn(await act(signIn, credentials))
  } catch (error) {
    if ((error as { type?: string }).type !== 'SECOND_FACTOR_REQUIRED') throw error
    const { askForCode } = await loadPart(() => import('../second-factor/code-step.tsx'))
    await askForCode(credentials, onSignedIn, show)
  }
}
