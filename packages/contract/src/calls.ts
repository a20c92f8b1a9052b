import * as accounts from './accounts.ts'
import * as accountsAdmin from './accounts-admin.ts'
import * as accountsBulk from './accounts-bulk.ts'
import * as accountsSpeed from './accounts-speed.ts'
import * as audit from './audit.ts'
import * as auth from './auth.ts'
import type { Call, PeopleAccess } from './call.ts'
import * as compensations from './compensations.ts'
import * as countries from './countries.ts'
import * as credit from './credit.ts'
import * as dashboard from './dashboard.ts'
import * as dnsProvider from './dns-provider.ts'
import * as health from './health.ts'
import * as hostAccess from './host-access.ts'
import * as hostUpkeep from './host-upkeep.ts'
import * as idempotency from './idempotency.ts'
import * as machines from './machines.ts'
import * as nodeUpkeep from './node-upkeep.ts'
import * as nodes from './nodes.ts'
import * as plans from './plans.ts'
import * as plansAdmin from './plans-admin.ts'
import * as purchases from './purchases.ts'
import * as replacements from './replacements.ts'
import * as sales from './sales.ts'
import * as salesAdmin from './sales-admin.ts'
import * as search from './search.ts'
import * as secondFactor from './second-factor.ts'
import * as servers from './servers.ts'
import * as settings from './settings.ts'
import * as sms from './sms.ts'
import * as tunnels from './tunnels.ts'
import * as upgrades from './upgrades.ts'
import * as usage from './usage.ts'
import * as userAccess from './user-access.ts'
import * as userCredit from './user-credit.ts'
import * as users from './users.ts'

const features = [
  auth,
  secondFactor,
  credit,
  accounts,
  purchases,
  plans,
  accountsBulk,
  accountsSpeed,
  usage,
  sales,
  salesAdmin,
  sms,
  countries,
  servers,
  tunnels,
  hostUpkeep,
  health,
  hostAccess,
  machines,
  nodeUpkeep,
  replacements,
  upgrades,
  compensations,
  dashboard,
  users,
  userCredit,
  userAccess,
  accountsAdmin,
  plansAdmin,
  settings,
  dnsProvider,
  audit,
  search,
  idempotency,
  nodes,
]

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value && 'input' in value

const all = features.flatMap((feature) => Object.values<unknown>(feature).filter(isCall))

/** The source of server routes, the authorization matrix and the API documentation. */
export const calls: readonly Call<PeopleAccess>[] = all.filter(
  (call): call is Call<PeopleAccess> => call.access !== 'node',
)

export const nodeCalls: readonly Call<'node'>[] = all.filter(
  (call): call is Call<'node'> => call.access === 'node',
)
