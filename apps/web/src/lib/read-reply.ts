const controls = /\p{Bidi_Control}/gu
const mayHaveControls = /\p{Bidi_Control}|\\u(?:061c|20[026][\da-f])/iu

const withoutControls = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replace(controls, '') : value

/** Removes bidi controls, which could reorder the text around a name. The Persian zero-width non-joiner stays. */
export const parseReply = (text: string): unknown =>
  JSON.parse(text, mayHaveControls.test(text) ? withoutControls : undefined)

export const readReply = async (reply: Response): Promise<unknown> => parseReply(await reply.text())
