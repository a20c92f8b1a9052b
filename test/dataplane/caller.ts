import { signIn as signInCall } from '@kelid/contract'
import { bearer, type CallServer, callAt } from '../../e2e/call.ts'

/** Makes the calls of a product as the user who has signed in; a refusal is thrown. */
export function callerAt(origin: string) {
  let token: string | undefined
  const call: CallServer = (one, body) => callAt(origin, token ? bearer(token) : {})(one, body)
  const signIn = async (login: { email: string; password: string }) => {
    token = undefined
    token = (await call(signInCall, login)).token
  }
  return { call, signIn }
}
