import { withoutControls } from '../../lib/html.ts'

/** One line that is safe beside other text, in a link and in a header. */
export const cleanText = (text: string): string =>
  withoutControls(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()

export const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
