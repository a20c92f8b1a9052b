import { createHash } from 'node:crypto'

/** Data blocks are read and never run. */
const inlineScript = /<script(?![^>]*\bsrc=)(?![^>]*\btype="application\/json")[^>]*>([\s\S]*?)<\/script>/gi
const inlineStyle = /<style[^>]*>([\s\S]*?)<\/style>/gi

const hashes = (html: string, element: RegExp): string =>
  [...html.matchAll(element)]
    .map(([, content = '']) => ` 'sha256-${createHash('sha256').update(content).digest('base64')}'`)
    .join('')

/**
 * What a page of the client may load: its own files, the inline elements it was built with, and nothing foreign. No text
 * becomes markup or a program, by anybody's mistake; only the client's policy "worker" names the one script it registers.
 */
export const pagePolicy = (html: string, otherServers: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src 'self'${hashes(html, inlineScript)}`,
    `style-src 'self'${hashes(html, inlineStyle)}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${otherServers.map((server) => ` ${server}`).join('')}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types worker',
  ].join('; ')
