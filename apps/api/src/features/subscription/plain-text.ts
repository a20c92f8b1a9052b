import { withoutControls } from '../../lib/html.ts'

/** What people typed, as one line that is safe beside other text, in a link and in a header. */
export const cleanText = (text: string): string =>
  withoutControls(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
