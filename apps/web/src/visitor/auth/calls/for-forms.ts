/**
 * What a visitor's form needs as soon as somebody uses it: the rules, the way to the server, the words for a refusal. A page
 * comes without it, for a first visit must be light.
 */
export { checkOtp, sendOtp, signIn, signUp, toLatinDigits } from '@kelid/contract'
export { act } from '../../../calls/api.ts'
export { notifyError } from '../../../calls/explain.ts'
export { strengthOf } from '../../../calls/password-strength.ts'
