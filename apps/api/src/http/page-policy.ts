import { createHash } from 'node:crypto'

/** Data blocks are never executed. */
const inlineScript = /<script(?![^>]*\bsrc=)(?![^>]*\btype="application\/json")[^>]*>([\s\S]*?)<\/script>/gi
const inlineStyle = /<style[^>]*>([\s\S]*?)<\/style>/gi

const hashes = (html: string, element: RegExp): string =>
  [...html.matchAll(element)]
    .map(([, content = '']) => ` 'sha256-${createHash('sha256').update(content).digest('base64')}'`)
    .join('')

/** Trusted types block turning text into markup or script; only the policy "worker" registers its script. */
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
