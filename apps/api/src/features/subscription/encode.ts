/** encodeURIComponent leaves !'()* alone, and chat apps end a link at a bracket or a quote. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

export const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** For a place inside an address: base64url, without padding. */
export const toUrlBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64url')
