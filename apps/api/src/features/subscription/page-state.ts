import type { HostHealth } from '@kelid/contract'
import { type Html, html, nothing } from '../../lib/html.ts'
import { type Brand, contactUrl } from './contact.ts'
import { dataSize, exactTime, timeInWords, wholeNumber } from './expiry.ts'
import { icons } from './icons.ts'
import { nameOf, nameWays, stateAt, type Way } from './links.ts'
import type { PageRequest } from './page-request.ts'
import type { Words } from './page-words.ts'
import { cleanText } from './plain-text.ts'

export const about = (request: PageRequest, words: Words): Html => {
  const { account, ways, brand, language, now } = request
  const state = stateAt(account, now)
  const isActive = state === 'active'
  return html`<section class="top">
<h1><bdi>${nameOf(account)}</bdi></h1>
<p class="state ${isActive ? 'good' : 'bad'}">${icons[state]}<span>${words.states[state]}</span></p>
${isActive ? nothing : trouble(words.reasons[state], brand, words)}
<dl class="facts">
${expiry(request, words)}
${usageFacts(request, words)}
${speedFact(request, words)}
${isActive ? activeFacts(request, words) : nothing}
</dl>
${isActive && ways.length > 1 ? serverList(nameWays(ways, language), words) : nothing}
</section>`
}

const fact = (name: string, detail: Html | string): Html => html`<div><dt>${name}</dt><dd>${detail}</dd></div>
`

const note = (text: string): Html => html`<span class="soft">${text}</span>`

const expiry = ({ account: { accountExpireDate: at }, language, now }: PageRequest, words: Words): Html =>
  fact(
    at > now ? words.expires : words.expired,
    html`${timeInWords(language, at, now)}<time class="soft" datetime="${at.toISOString()}">${exactTime(language, at)}</time>`,
  )

const usageFacts = ({ language, usage }: PageRequest, words: Words): Html =>
  usage ? fact(words.used, dataSize(language, usage.upload + usage.download)) : nothing

const speedFact = ({ account: { speedLimit }, language }: PageRequest, words: Words): Html =>
  speedLimit === null ? nothing : fact(words.speed, words.atMost(wholeNumber(language, speedLimit)))

const activeFacts = ({ brand, devices, language, ways }: PageRequest, words: Words): readonly Html[] => {
  const [way] = ways
  const isOnlyWay = ways.length === 1 && way?.health !== 'unknown'
  return [
    devices === null
      ? nothing
      : fact(words.devices, html`${wholeNumber(language, devices)}${note(words.devicesNote)}`),
    way && isOnlyWay ? fact(words.server, mark(way.health, words)) : nothing,
    cleanText(brand.contact) ? fact(words.support, contact(brand)) : nothing,
  ]
}

const marks: Record<HostHealth, { look: string; icon: Html }> = {
  up: { look: 'good', icon: icons.active },
  down: { look: 'bad', icon: icons.fault },
  unknown: { look: 'unknown', icon: nothing },
}

export const mark = (health: HostHealth, words: Words): Html =>
  html`<span class="state ${marks[health].look}">${marks[health].icon}<span>${words.healths[health]}</span></span>`

const serverList = (ways: readonly Way[], words: Words): Html => {
  const isAny = (health: HostHealth) => ways.some((way) => way.health === health)
  if (!isAny('up') && !isAny('down')) return nothing
  return html`<div class="servers">
<h2>${words.servers}</h2>
<ul>${ways.map((way) => html`<li><bdi>${nameOf(way)}</bdi>${mark(way.health, words)}</li>`)}</ul>
${isAny('up') && isAny('down') ? html`<p class="soft">${words.chooseWorking}</p>` : nothing}
</div>`
}

const trouble = (reason: string, brand: Brand, words: Words): Html => html`<div class="reason">
<p>${reason}</p>
<p>${words.afterwards}</p>
<p>${support(brand, words)}</p>
</div>`

export const support = (brand: Brand, words: Words): Html =>
  cleanText(brand.contact) ? html`${words.support}: ${contact(brand)}` : html`${words.askSeller}`

const contact = (brand: Brand): Html => {
  const url = contactUrl(brand.contact)
  const text = html`<bdi>${cleanText(brand.contact)}</bdi>`
  return url === null ? text : html`<a href="${url}" rel="noreferrer">${text}</a>`
}
