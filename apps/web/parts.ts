import { relative } from 'node:path'

/** Libraries by the part of the client that stands on them. */
const libraries: Record<string, readonly string[]> = {
  vendor: [
    'react',
    'react-dom',
    'scheduler',
    'react-router',
    'i18next',
    'react-i18next',
    'html-parse-stringify',
    'void-elements',
    'use-sync-external-store',
    'cookie',
    'set-cookie-parser',
    '@babel/runtime',
  ],
  calls: ['zod'],
  shared: ['@tanstack/query-core', '@tanstack/react-query'],
  'reseller-accounts-list': ['virtua'],
  'reseller-accounts-detail': ['uqr'],
}

/** Files of the contract by the part that travels with them. The client uses no other file of it. */
const contract: Record<string, readonly string[]> = {
  app: ['constants'],
  calls: ['auth', 'beyond-spec', 'call', 'envelope', 'limits', 'rules', 'vpn-catalogue'],
  'visitor-auth-calls': ['sms'],
  'ui-appearance': ['contact'],
  'admin-entry': ['second-factor'],
  'reseller-accounts-speed-form': ['accounts-speed'],
  'reseller-accounts-overview': ['sales'],
  'reseller-accounts-purchase': ['accounts-bulk', 'plans', 'purchases'],
  'reseller-accounts-usage': ['usage'],
  'reseller-accounts-import': ['import-apps'],
  'admin-sales': ['sales-admin'],
  'admin-settings': ['dns-provider', 'dns-providers'],
  'admin-hosts': ['machines'],
  'admin-plans': ['plans-admin'],
  'admin-hosts-detail': ['replacements'],
  shared: ['accounts', 'countries', 'credit', 'events', 'hosts', 'plan-fields', 'routes'],
  admin: [
    'accounts-admin',
    'admin-rules',
    'audit',
    'client-hello',
    'compensations',
    'counts',
    'dashboard',
    'health',
    'host-access',
    'host-calls',
    'host-list',
    'host-upkeep',
    'idempotency',
    'node-upkeep',
    'phones',
    'search',
    'servers',
    'setting-rules',
    'settings',
    'tunnels',
    'upgrades',
    'user-access',
    'user-credit',
    'users',
  ],
}

/** Folders of the kit that come with another part: what waits for answers is of no use without reads, and what resellers need on one screen alone comes with that. */
const kit: Record<string, string> = {
  bars: 'shared',
  loading: 'shared',
  password: 'app',
  qr: 'reseller-accounts-detail',
}

/** An administrator's screens are many and small: each word is a part, and words that meet on one screen share one. */
const together: Record<string, string> = { accounts: 'people', credit: 'people', users: 'people' }

/** These screens have words of their own, or share a part that no other screen needs. */
const partOfScreen: Record<string, string> = {
  audit: 'admin-audit',
  security: 'admin-second-factor',
  dashboard: 'admin-dashboard',
  data: 'admin-sales',
  plans: 'admin-plans',
  prices: 'admin-settings',
  network: 'admin-settings',
  money: 'admin-people',
  server: 'admin-hosts-detail',
  tunnel: 'admin-hosts-detail',
  machine: 'admin-hosts-detail',
  'add-server': 'admin-hosts-form',
  'add-tunnel': 'admin-hosts-form',
  'change-server': 'admin-hosts-form',
  'change-tunnel': 'admin-hosts-form',
}

const rowWith = (table: Record<string, readonly string[]>, name: string) =>
  Object.keys(table).find((part) => table[part]?.includes(name))

/**
 * The part of the client that a file travels in. What lies in an area's folder, or in that of one of its words, comes with the
 * area; a folder below is a part of its own, and so is each screen. The kit comes with the app, its folders by themselves or as `kit` says. A
 * file that no rule knows stops the build with its name.
 */
export function partOf(id: string): string | null {
  const [path = ''] = relative(import.meta.dirname, id.replace(/^\0/, '')).split('?')
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1]
  const word = /packages\/contract\/src\/([^/.]+)/.exec(path)?.[1]
  const part = library ? rowWith(libraries, library) : word ? rowWith(contract, word) : ownPart(path)
  if (part === undefined) throw new Error(`${path} belongs to no part of the client: see parts.ts`)
  return part
}

function ownPart(path: string): string | null | undefined {
  const [src, folder, ...rest] = path.split('/').slice(0, -1)
  if (src !== 'src') return /^fonts\/|\bvite\/|^(?:\.\.\/)*rolldown\//.test(path) ? 'app' : undefined
  if (rest.at(-1) === 'words' || folder === 'app' || folder === 'lib') return 'app'
  if (folder === 'calls' || folder === 'shared') return folder
  if (folder === 'ui') return rest.length === 0 ? 'app' : (kit[rest.join('/')] ?? ['ui', ...rest].join('-'))
  if (!/^(?:visitor|reseller|admin)$/.test(folder ?? '')) return undefined
  // One chunk: the same users fetch the entry screen and the entry check at the same moment, and both need the paths.
  if (/^src\/admin\/(?:screens\/admin-screen\.tsx|paths\.ts)$/.test(path)) return 'admin-entry'
  // One part each: their words are a file of their own, and a first visit fetches twelve at most.
  const withWords = partOfScreen[/^src\/admin\/screens\/([\w-]+)-screen\.tsx$/.exec(path)?.[1] ?? '']
  if (withWords) return withWords
  if (rest[0] === 'screens') return null
  if (rest.length < 2) return folder
  // Apart, because forms, pages and lists of hosts need none of each other's.
  if (folder === 'admin' && rest[0] === 'hosts' && /^(?:detail|form|replacing)$/.test(rest[1] ?? ''))
    return rest[1] === 'form' ? 'admin-hosts-form' : 'admin-hosts-detail'
  if (folder === 'admin') return `admin-${together[rest[0] ?? ''] ?? rest[0]}`
  return [folder, ...rest].join('-')
}
