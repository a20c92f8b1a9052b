import { linkSchemes } from '../vpn-types/vpn-types.ts'

const hidden = '[hidden]'

const shapes: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g,
  /^[A-Za-z0-9+/]{60,}={0,2}$/gm,
  new RegExp(String.raw`\b(?:${[...linkSchemes, 'vmess', 'ss'].join('|')})://\S+`, 'gi'),
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /\/sub\/[A-Za-z0-9_-]{16,}/g,
  /\b(?:postgres|postgresql):\/\/\S+/gi,
  /:\/\/[^\s/@:]{1,200}:[^\s/@]{1,200}@/g,
  /(?:password|passwd|secret|token)["']?\s?[:=]\s?(?:"[^"\n]*"|'[^'\n]*'|[^\s"',}]+)/gi,
]

const shortest = 4
const shortestLine = 8

/** The forms in which programs print a text: plain, JSON-escaped once or twice, URL-encoded, shell-quoted, base64. */
function spellings(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '')
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(secret),
    secret.replaceAll("'", `'"'"'`),
    secret.replaceAll("'", `'\\''`),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
  ]
}

/** A key may be printed line by line; its first and last line are no secret. */
const linesOf = (secret: string): string[] =>
  secret
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line.length >= shortestLine && !line.startsWith('-----'))

interface Span {
  readonly start: number
  readonly end: number
}

function* occurrences(text: string, form: string): Generator<Span> {
  for (let start = text.indexOf(form); start >= 0; start = text.indexOf(form, start + 1))
    yield { start, end: start + form.length }
}

/** Locates all matches in the original text and cuts them together, so that overlapping ones leave no rest. */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = new Set(
    secrets
      .filter((secret) => secret.length >= shortest)
      .flatMap((secret) => [secret, ...linesOf(secret)])
      .flatMap(spellings),
  )
  const spans: Span[] = [...forms].flatMap((form) => [...occurrences(text, form)])
  for (const shape of shapes)
    for (const { index, 0: match } of text.matchAll(shape))
      spans.push({ start: index, end: index + match.length })
  return cutOut(
    text,
    spans.sort((a, b) => a.start - b.start),
  )
}

function cutOut(text: string, spans: readonly Span[]): string {
  let result = ''
  let end = 0
  for (const span of spans) {
    if (span.start >= end) result += `${text.slice(end, span.start)}${hidden}`
    end = Math.max(end, span.end)
  }
  return result + text.slice(end)
}
