// biome-ignore-start lint/suspicious/noControlCharactersInRegex: removing them is the point
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Bidi_Control}|\ufeff/gu
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/** The server already removes these; a bidi control could make a neighbouring line read differently. */
export const plainText = (text: string): string => text.replace(ansi, '').replace(controls, '')
