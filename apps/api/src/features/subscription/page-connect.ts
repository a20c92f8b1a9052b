import { appsOf, appsWithout, importLink, type System, systemOf, systems } from '@kelid/contract'
import { type Html, html, nothing } from '../../lib/html.ts'
import { icons } from './icons.ts'
import { linkOf, nameOf, nameWays, type SubscriptionAccount, typesOf, type Way } from './links.ts'
import type { PageRequest } from './page-request.ts'
import { mark } from './page-state.ts'
import type { Words } from './page-words.ts'
import { qrSvg } from './qr.ts'
import { storesOf } from './stores.ts'

export const connect = ({ account, ways, language, pageUrl, userAgent }: PageRequest, words: Words): Html => {
  const named = nameWays(ways, language)
  const [first] = named
  const url = new URL(pageUrl).href
  const detectedSystem = systemOf(userAgent ?? '')
  const useless = appsWithout(typesOf(ways))
  return html`<section>
<h2>${words.addTitle}</h2>
${systems.map((system) => appList(account, ways, system, system === detectedSystem, url, words))}
${useless.length > 0 ? html`<p class="hint">${words.notFor} ${list(useless, words)}</p>` : nothing}
</section>
<section>
<h2>${words.scanTitle}</h2>
<p class="hint">${words.scanHint}</p>
${ways.some(({ authorityFingerprint }) => authorityFingerprint) ? html`<p class="hint">${words.pinned}</p>` : nothing}
${first && named.length > 1 ? whichWay(first, words) : nothing}
${codeOf(first ?? account, words)}
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

/** Each name is isolated, so that the list runs in the direction of the language. */
const list = (names: readonly string[], words: Words): Html[] =>
  names.map((name, index) => html`${index > 0 ? words.comma : ''}<bdi>${name}</bdi>`)

const linkBox = (
  way: SubscriptionAccount,
): Html => html`<code class="link" dir="ltr" tabindex="0">${linkOf(way)}</code>
`

const codeOf = (way: SubscriptionAccount, words: Words): Html =>
  html`<details class="scan"><summary>${qrSvg(linkOf(way), nameOf(way))}<span class="more">${words.enlarge}</span><span class="less">${words.shrink}</span></summary></details>`

const whichWay = (way: Way, words: Words): Html => {
  const useless = appsWithout([way.accountVPNType])
  return html`<h3><bdi>${nameOf(way)}</bdi></h3>
${way.health === 'down' ? mark(way.health, words) : nothing}
${useless.length > 0 ? html`<p class="hint">${words.notThere} ${list(useless, words)}</p>` : nothing}`
}

/** One of several ways; the code of the first is above. */
const wayBox = (way: Way, hasCode: boolean, words: Words): Html =>
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
  const types = typesOf(ways)
  const apps = appsOf(system, types).map((app) => ({ app, link: importLink(app, url, nameOf(account)) }))
  const buttons = apps.flatMap(({ app, link }, index) =>
    link === null
      ? []
      : html`<li><a class="control${index === 0 ? ' first' : ''}" href="${link}"><bdi>${app}</bdi></a></li>`,
  )
  const others = apps.flatMap(({ app, link }) => (link === null ? [app] : []))
  return html`<details class="system" name="system"${isOpen ? html` open` : nothing}>
<summary>${words.systems[system]}${icons.down}</summary>
<ol class="hint">${words.steps[system].map((step) => html`<li>${step}</li>`)}</ol>
<ul class="apps">${buttons}</ul>
${others.length > 0 ? html`<p class="soft stores">${words.paste} ${list(others, words)}</p>` : nothing}
<p class="soft stores">${storesOf(system, types).map(({ store, names }) => html`<span><bdi>${store}</bdi>: ${list(names, words)}</span> `)}</p>
</details>
`
}
