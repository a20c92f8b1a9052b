// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Text from elsewhere, fit to be shown as one or more lines: no terminal codes, control or direction characters. */
export const plain = (text: string): string => text.replace(ansi, '').replace(controls, '')

/** At most `max` characters, never half of a surrogate pair. */
export const clip = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
