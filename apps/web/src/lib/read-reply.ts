const controls = /\p{Bidi_Control}/gu
const mayHaveControls = /\p{Bidi_Control}|\\u(?:061c|20[026][\da-f])/iu

const withoutControls = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replace(controls, '') : value

/**
 * What a server said, as JSON. Controls that turn the direction of text would turn around what stands beside it and
 * have no business in a name; the non-joiner of Persian spelling is none of them and stays.
 */
export const parseReply = (text: string): unknown =>
  JSON.parse(text, mayHaveControls.test(text) ? withoutControls : undefined)

export const readReply = async (reply: Response): Promise<unknown> => parseReply(await reply.text())
