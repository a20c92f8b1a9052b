import { type Access, type Language, languageFacts, languages, timings } from '@kelid/contract'

export interface Document {
  readonly language: Language
  /** The address whose screen the page holds whole, for React to hydrate. */
  readonly path?: string
  readonly access?: Access
  readonly title: string
  readonly icon: string
  readonly head: string
  readonly body: string
}

const directions = languages.map((language) => `${language}:${languageFacts[language].dir}`).join(' ')

/**
 * Every page of the client, in development too. The server puts the operator's config before the root, and the
 * operator's name in place of the product's at the end of the title and of `content` attributes.
 */
export const documentOf = ({
  language,
  path = '',
  access = 'anyone',
  title,
  icon,
  head,
  body,
}: Document) => `<!doctype html>
<html lang="${language}" dir="${languageFacts[language].dir}" data-page="${path}" data-mode="light" data-languages="${directions}" data-patience="${timings.chunkTimeoutMs}" data-access="${access}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#ffffff">
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="manifest" href="/manifest.webmanifest">
<title>${escapeText(title)}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`

/** What search engines and messengers show of a link to the page. */
export function preview(title: string, brandName: string, description: string): string {
  const meta = [
    ['name="description"', description],
    ['property="og:description"', description],
    ['property="og:title"', title],
    ['property="og:site_name"', brandName],
  ] as const
  return meta.map(([name, content]) => `<meta ${name} content="${escapeText(content)}">`).join('')
}

/** Data that scripts read; the browser does not run it. */
export function dataBlock(id: string, data: unknown, attributes: Readonly<Record<string, string>> = {}) {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  const list = Object.entries({ id, ...attributes }).map(([name, value]) => ` ${name}="${value}"`)
  return `<script type="application/json"${list.join('')}>${json}</script>`
}

const escapeText = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)
