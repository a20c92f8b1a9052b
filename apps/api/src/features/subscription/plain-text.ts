/**
 * Without bidi controls, which would turn the text around it, and lone surrogates, which encodeURIComponent throws on.
 * The zero-width non-joiner stays: Persian needs it.
 */
export const withoutControls = (text: string): string => text.replace(/[\p{Bidi_Control}\p{Cs}]/gu, '')

/** What people typed, as one line that is safe beside other text, in a link and in a header. */
export const cleanText = (text: string): string =>
  withoutControls(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
