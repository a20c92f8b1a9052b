/**
 * What a visitor's form needs as soon as somebody uses it: the rules, the way to the server, the words for a refusal. A page
 * comes without it, for a first visit must be light.
 */
export { signIn, signUp } from '@kelid/contract'
export { send } from '../../lib/api.ts'
export { notifyError } from '../../lib/explain.ts'
