import { Refusal } from '@kelid/contract'
import { dictionary } from '@zxcvbn-ts/language-common'

const common = new Set<string>(dictionary['passwords-common'].map(String))
const lookAlikes: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'l',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
const withoutLookAlikes = (text: string) =>
  text.replace(/[013457@$!]/g, (character) => lookAlikes[character] ?? character)

/**
 * The composition rule turns "password" into "P@ssw0rd1!", which is as easy to guess. So the comparison ignores case,
 * look-alike characters and additions at both ends.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  const trimmed = lower.replace(/^[^a-z0-9]+/, '').replace(/[^a-z0-9]+$/, '')
  const bare = lower.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '')
  return [lower, trimmed, bare]
    .flatMap((form) => [form, withoutLookAlikes(form)])
    .some((form) => form.length * 2 >= password.length && common.has(form))
}

export function refuseCommonPassword(password: string): void {
  if (isCommonPassword(password)) throw new Refusal('PASSWORD_TOO_COMMON')
}
