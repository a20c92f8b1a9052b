import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { limits } from '@kelid/contract'
import type { Letter } from './wire.ts'

export type Body = Readonly<Record<string, unknown>>
export interface Hostile extends Omit<Letter, 'path'> {
  readonly name: string
  readonly code: 400 | 405 | 413 | 415
  /** The errorType, where the code alone does not say it. */
  readonly type?: string
  /** The content type that is sent instead of JSON; null for none. */
  readonly contentType?: string | null
}

const bytes = (...values: number[]) => Buffer.from(values)
const padded = (text: string, length: number) =>
  `${text.slice(0, -1)}${' '.repeat(length - Buffer.byteLength(text))}}`
const bad = (name: string, body: string | Buffer, type = 'BAD_REQUEST'): Hostile => ({
  name,
  code: 400,
  type,
  body,
})

/** Texts made of a good body that are not JSON, not an object, or not read alike by every parser. */
export function badTexts(body: Body): Hostile[] {
  const good = JSON.stringify(body)
  const open = good.slice(0, -1)
  const inClient = (text: string | Buffer) => {
    const [before = '', after = ''] = JSON.stringify({ ...body, client: '@' }).split('"@"')
    return Buffer.concat([Buffer.from(`${before}"`), Buffer.from(text), Buffer.from(`"${after}`)])
  }
  const withValue = (text: string) => `${open},"x":${text}}`
  return [
    bad('empty', ''),
    bad('white space', ' \r\n\t '),
    bad('null', 'null'),
    bad('true', 'true'),
    bad('a number', '1'),
    bad('a string', JSON.stringify(good)),
    bad('an empty list', '[]'),
    bad('the body in a list', `[${good}]`),
    bad('cut short', open),
    bad('cut within a string', good.slice(0, good.indexOf('web') + 1)),
    bad('garbage after it', `${good}x`),
    bad('garbage before it', `)]}'${good}`),
    bad('twice', good + good),
    bad('a line after it', `${good}\n{}`),
    bad('a comma too many', `${open},}`),
    bad('a comma too few', good.replace(',', ' ')),
    bad('a comment', `/* */${good}`),
    bad('a line comment', `${good}// end`),
    bad('single quotes', good.replaceAll('"', "'")),
    bad('a bare key', good.replace('"client"', 'client')),
    bad('NaN', withValue('NaN')),
    bad('Infinity', withValue('-Infinity')),
    bad('undefined', withValue('undefined')),
    bad('a hexadecimal number', withValue('0x10')),
    bad('a leading zero', withValue('01')),
    bad('a plus sign', withValue('+1')),
    bad('a bare point', withValue('.5')),
    bad('minus zero', withValue('-0')),
    bad('minus zero by underflow', withValue('-1e-400')),
    bad('a byte order mark', `\ufeff${good}`),
    bad('UTF-16', Buffer.from(good, 'utf16le')),
    bad('UTF-16 with its mark', Buffer.concat([bytes(0xff, 0xfe), Buffer.from(good, 'utf16le')])),
    bad('Latin-1', inClient(bytes(0xe9))),
    bad('a byte that is never UTF-8', inClient(bytes(0xff))),
    bad('an overlong NUL', inClient(bytes(0xc0, 0x80))),
    bad('an overlong slash', inClient(bytes(0xe0, 0x80, 0xaf))),
    bad('a surrogate in UTF-8', inClient(bytes(0xed, 0xa0, 0x80))),
    bad('past the end of Unicode', inClient(bytes(0xf4, 0x90, 0x80, 0x80))),
    bad('half a character', inClient(bytes(0xe2, 0x82))),
    bad('a raw NUL', inClient('\0')),
    bad('a raw line end', inClient('a\nb')),
    bad('a NUL after it', `${good}\0`),
    bad('a bad escape', inClient('\\x41')),
    bad('half an escape', inClient('\\u00')),
    bad('a duplicate key', `${open},"client":"web"}`),
    bad('a duplicate first', `{"clientVersion":"9",${good.slice(1)}`),
    bad('a duplicate in other spelling', `${open},"cl\\u0069ent":"web"}`),
    bad('a duplicate of a duplicate', `{"\\u0063lient":"a","client":"b",${good.slice(1)}`),
    bad('a nested duplicate', withValue('{"a":{"b":1,"b":1}}')),
    bad('a nested duplicate in other spelling', withValue('[{"b":1,"\\u0062":1}]')),
    bad('a duplicate __proto__', `${open},"__proto__":1,"__proto__":2}`),
    bad('too deep by one', withValue('['.repeat(limits.bodyDepth) + ']'.repeat(limits.bodyDepth))),
    bad('too deep in objects', withValue(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`)),
    bad('very deep', withValue('['.repeat(30_000) + ']'.repeat(30_000))),
    bad('very deep and open', '['.repeat(60_000)),
    bad('very deep objects and open', '{"a":'.repeat(12_000)),
    bad('quotes without end', `"${'\\"'.repeat(32_000)}`),
    bad('backslashes without end', `"${'\\'.repeat(60_001)}`),
    bad('colons without end', `{"a"${':'.repeat(60_000)}`),
  ]
}

const unknown = (name: string, body: string): Hostile => bad(name, body, 'UNKNOWN_FIELD')
const incomplete = (name: string, body: object | string): Hostile =>
  bad(name, typeof body === 'string' ? body : JSON.stringify(body), 'INCOMPLETE_INFORMATION')

/** Good JSON with a field that nobody asked for, or with a wrong common part. */
export function badFields(body: Body): Hostile[] {
  const open = JSON.stringify(body).slice(0, -1)
  const without = (name: string) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))
  const extraKeys = [
    '__proto__',
    '\\u005f_proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'nickname',
    'Client',
    'client ',
    'token',
    '',
    '\\u0000',
    '\\ud800',
    '0',
  ]
  const wrongClients = [
    null,
    1,
    2 ** 53,
    true,
    [],
    ['web'],
    {},
    '',
    ' ',
    'a b',
    'w\u0000eb',
    'w\nb',
    '\ud800',
  ]
  return [
    ...extraKeys.map((key) => unknown(`the key "${key}"`, `${open},"${key}":{"isAdmin":true}}`)),
    unknown('a poisoned prototype', `${open},"__proto__":{"__proto__":{"level":10}}}`),
    unknown('a number too large to keep', `${open},"amount2":1e400}`),
    ...wrongClients.map((client) => incomplete(`client ${JSON.stringify(client)}`, { ...body, client })),
    incomplete('client too long', { ...body, client: 'w'.repeat(limits.textMax + 1) }),
    incomplete('client very long', { ...body, client: 'w'.repeat(60_000) }),
    incomplete('no client', without('client')),
    incomplete('no clientVersion', without('clientVersion')),
    incomplete('a numeric clientVersion', { ...body, clientVersion: 1 }),
    incomplete('clientVersion null', { ...body, clientVersion: null }),
    incomplete('an unknown language', { ...body, lng: 'de' }),
    incomplete('language null', { ...body, lng: null }),
    incomplete('two languages', { ...body, lng: ['en', 'fa'] }),
    incomplete('nothing', '{}'),
  ]
}

/** The right text in the wrong envelope: size, type, encoding or method. */
export function badLetters(body: Body, bodyBytes: number): Hostile[] {
  const good = JSON.stringify(body)
  const tooLong = padded(good, bodyBytes + 1)
  const tooLarge = (name: string, more: Partial<Hostile>): Hostile => ({
    name,
    code: 413,
    body: tooLong,
    ...more,
  })
  const wrongType = (contentType: string | null): Hostile => ({
    name: `content type ${contentType}`,
    code: 415,
    body: good,
    contentType,
  })
  const encoded = (encoding: string, content: Buffer | string): Hostile => ({
    name: `content encoding ${encoding}, ${typeof content === 'string' ? 'not true' : 'true'}`,
    code: 415,
    body: content,
    headers: { 'content-encoding': encoding },
  })
  return [
    tooLarge('one byte too many', {}),
    tooLarge('one byte too many, in pieces', { isChunked: true }),
    tooLarge('twice too large', { body: padded(good, 2 * bodyBytes) }),
    tooLarge('too large in one string', {
      body: JSON.stringify({ ...body, x: 'y'.repeat(bodyBytes) }),
    }),
    ...[
      null,
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/ld+json',
      'application/jsonp',
      'application/json5',
      'application/json; charset=utf-16',
      'application/json; charset=iso-8859-1',
      'application/json; charset=utf-8; x=y',
      'application/json; boundary=x',
      'application/json, text/plain',
      'application/json\ttext',
      '*/*',
      'json',
    ].map(wrongType),
    encoded('gzip', gzipSync(good)),
    encoded('deflate', deflateSync(good)),
    encoded('br', brotliCompressSync(good)),
    encoded('gzip', good),
    encoded('gzip, identity', good),
    ...['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE'].map(
      (method): Hostile => ({ name: method, code: 405, method, contentType: null }),
    ),
    ...['PUT', 'PATCH', 'DELETE'].map(
      (method): Hostile => ({ name: `${method} with a body`, code: 405, method, body: good }),
    ),
  ]
}

/** Exactly as long as is allowed. */
export const longestBody = (body: Body, bodyBytes: number): string => padded(JSON.stringify(body), bodyBytes)
