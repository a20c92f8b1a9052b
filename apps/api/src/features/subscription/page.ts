import {
  appsOf,
  appsWithout,
  importLink,
  type Language,
  languageFacts,
  languages,
  type System,
  systemOf,
  systems,
} from '@kelid/contract'
import { Html, html, nothing } from '../../lib/html.ts'
import { type Brand, contactUrl } from './contact.ts'
import { dataSize, exactTime, timeInWords } from './expiry.ts'
import type { Usage } from './headers.ts'
import { icons } from './icons.ts'
import { linkOf, nameOf, nameWays, type SubscriptionAccount, stateAt, typesOf } from './links.ts'
import { pageStyle, pageStyleSource } from './page-style.ts'
import { type Words, wordsOf } from './page-words.ts'
import { cleanText } from './plain-text.ts'
import { qrSvg } from './qr.ts'
import { storesOf } from './stores.ts'

/** The page is self-contained, so nothing else may load, run or frame it. */
export const pagePolicy =
  `default-src 'none'; style-src ${pageStyleSource}; base-uri 'none'; form-action 'none'; ` +
  "frame-ancestors 'none'"

export interface PageRequest {
  account: SubscriptionAccount
  /** All of the account's ways, the preferred one first. */
  ways: readonly SubscriptionAccount[]
  brand: Brand
  userAgent: string | undefined
  language: Language
  pageUrl: string
  now: Date
  usage: Usage | null
}

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

const about = ({ account, brand, language, now, usage }: PageRequest, words: Words): Html => {
  const state = stateAt(account, now)
  const expire = account.accountExpireDate
  return html`<section class="top">
<h1><bdi>${nameOf(account)}</bdi></h1>
<p class="state ${state === 'active' ? 'good' : 'bad'}">${icons[state]}<span>${words.states[state]}</span></p>
${state === 'active' ? nothing : trouble(words.reasons[state], brand, words)}
<dl class="facts">
<div><dt>${expire > now ? words.expires : words.expired}</dt>
<dd>${timeInWords(language, expire, now)}<time class="soft" datetime="${expire.toISOString()}">${exactTime(language, expire)}</time></dd></div>
${usage ? html`<div><dt>${words.used}</dt><dd>${dataSize(language, usage.upload + usage.download)}</dd></div>` : nothing}
${state === 'active' && cleanText(brand.contact) ? html`<div><dt>${words.support}</dt><dd>${contact(brand)}</dd></div>` : nothing}
</dl>
</section>`
}

const trouble = (reason: string, brand: Brand, words: Words): Html => html`<div class="reason">
<p>${reason}</p>
<p>${words.afterwards}</p>
<p>${support(brand, words)}</p>
</div>`

const support = (brand: Brand, words: Words): Html =>
  cleanText(brand.contact) ? html`${words.support}: ${contact(brand)}` : html`${words.askSeller}`

const contact = (brand: Brand): Html => {
  const url = contactUrl(brand.contact)
  const text = html`<bdi>${cleanText(brand.contact)}</bdi>`
  return url === null ? text : html`<a href="${url}" rel="noreferrer">${text}</a>`
}

const connect = ({ account, ways, language, pageUrl, userAgent }: PageRequest, words: Words): Html => {
  const named = nameWays(ways, language)
  const [first = account] = named
  const url = new URL(pageUrl).href
  const detectedSystem = systemOf(userAgent ?? '')
  const useless = appsWithout(typesOf(ways))
  return html`<section>
<h2>${words.addTitle}</h2>
<ol class="hint">${words.steps.map((step) => html`<li>${step}</li>`)}</ol>
${systems.map((system) => appList(account, ways, system, system === detectedSystem, url, words))}
${useless.length > 0 ? html`<p class="hint">${words.notFor} <bdi>${useless.join(', ')}</bdi></p>` : nothing}
</section>
<section>
<h2>${words.scanTitle}</h2>
<p class="hint">${words.scanHint}</p>
${ways.some(({ authorityFingerprint }) => authorityFingerprint) ? html`<p class="hint">${words.pinned}</p>` : nothing}
${named.length > 1 ? whichWay(first, words) : nothing}
${codeOf(first, words)}
</section>
<div class="wide">
<section>
<h2>${words.linkTitle}</h2>
<p class="hint">${words.linkHint}</p>
${named.map((way, index) => (named.length === 1 ? linkBox(way) : wayBox(way, index > 0, words)))}
</section>
<section>
<h2>${words.addressTitle}</h2>
<p class="hint">${words.addressHint}</p>
<code class="link" dir="ltr" tabindex="0">${url}</code>
</section>
<p class="soft">${words.keepPrivate}</p>
</div>`
}

const linkBox = (
  way: SubscriptionAccount,
): Html => html`<code class="link" dir="ltr" tabindex="0">${linkOf(way)}</code>
`

const codeOf = (way: SubscriptionAccount, words: Words): Html =>
  html`<details class="scan"><summary>${qrSvg(linkOf(way), nameOf(way))}<span class="more">${words.enlarge}</span><span class="less">${words.shrink}</span></summary></details>`

const whichWay = (way: SubscriptionAccount, words: Words): Html => {
  const useless = appsWithout([way.accountVPNType])
  return html`<h3><bdi>${nameOf(way)}</bdi></h3>
${useless.length > 0 ? html`<p class="hint">${words.notThere} <bdi>${useless.join(', ')}</bdi></p>` : nothing}`
}

/** One of several ways; the code of the first is above. */
const wayBox = (way: SubscriptionAccount, hasCode: boolean, words: Words): Html =>
  html`<div class="way">
${whichWay(way, words)}
${linkBox(way)}${hasCode ? codeOf(way, words) : nothing}
</div>
`

const appList = (
  account: SubscriptionAccount,
  ways: readonly SubscriptionAccount[],
  system: System,
  isOpen: boolean,
  url: string,
  words: Words,
): Html => {
  const buttons = appsOf(system, typesOf(ways)).map(
    (app, index) =>
      html`<li><a class="control${index === 0 ? ' first' : ''}" href="${importLink(app, url, nameOf(account))}"><bdi>${app}</bdi></a></li>`,
  )
  return html`<details class="system" name="system"${isOpen ? html` open` : nothing}>
<summary>${words.systems[system]}${icons.down}</summary>
<ul class="apps">${buttons}</ul>
<p class="soft stores">${storesOf(system, typesOf(ways)).map(({ store, names }) => html`<span><bdi>${store}</bdi>: <bdi>${names.join(', ')}</bdi></span> `)}</p>
</details>
`
}
