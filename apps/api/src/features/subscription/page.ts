import { type Language, languageFacts, languages } from '@kelid/contract'
import { Html, html, nothing } from '../../lib/html.ts'
import type { Brand } from './contact.ts'
import { nameOf, stateAt } from './links.ts'
import { connect } from './page-connect.ts'
import type { PageRequest } from './page-request.ts'
import { about, support } from './page-state.ts'
import { pageStyle, pageStyleSource } from './page-style.ts'
import { wordsOf } from './page-words.ts'
import { cleanText } from './plain-text.ts'

/** The page is self-contained, so nothing else may load, run or frame it. */
export const pagePolicy =
  `default-src 'none'; style-src ${pageStyleSource}; base-uri 'none'; form-action 'none'; ` +
  "frame-ancestors 'none'"

export const subscriptionPage = (request: PageRequest): string => {
  const { account, brand, language } = request
  const words = wordsOf[language]
  const isActive = stateAt(account, request.now) === 'active'
  return frame(
    nameOf(account),
    brand,
    language,
    html`<main${isActive ? html` class="two"` : nothing}>
${about(request, words)}
${isActive ? connect(request, words) : nothing}
</main>`,
  )
}

/** For a replaced, deleted or mistyped link; it does not reveal which. */
export const missingPage = (brand: Brand, language: Language): string => {
  const words = wordsOf[language]
  return frame(
    words.missingTitle,
    brand,
    language,
    html`<main><section class="top">
<h1>${words.missingTitle}</h1>
<div class="reason">
<p>${words.missing}</p>
<p>${support(brand, words)}</p>
</div>
</section></main>`,
  )
}

const frame = (title: string, brand: Brand, language: Language, main: Html): string => {
  const brandName = cleanText(brand.name)
  return html`<!doctype html>
<html lang="${language}" dir="${languageFacts[language].dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
<title>${title} · ${brandName}</title>
<style>${new Html(pageStyle)}</style>
</head>
<body>
<header>
<span class="brand"><bdi>${brandName}</bdi></span>
${languages.filter((other) => other !== language).map(switchTo)}
</header>
${main}
</body>
</html>
`.markup
}

const switchTo = (other: Language): Html => {
  const { dir, ownName } = languageFacts[other]
  return html`<a class="plain" href="?lng=${other}" hreflang="${other}" lang="${other}" dir="${dir}">${ownName}</a>`
}
