export const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
