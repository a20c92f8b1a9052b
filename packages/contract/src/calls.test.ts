import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { adminRules as rules } from './admin-rules.ts'
import type { Access, Call } from './call.ts'
import { calls, nodeCalls, strangerCalls } from './calls.ts'
import { languages } from './constants/languages.ts'
import { unwrap } from './envelope.ts'
import { refusals } from './errors.ts'
import { routes } from './routes.ts'
import { ruleTexts } from './rules.ts'

/** path: who may, and the fields of the body that are the call's own; `?` marks one that may be left out. */
const spec: Record<string, [Access, string]> = {
  'auth/signin': ['anyone', 'email password secondFactorCode?'],
  'auth/signup': ['anyone', 'email password'],
  'auth/getuser': ['user', ''],
  'auth/getusercreditbytoken': ['user', ''],
  'auth/getuserdebtbytoken': ['user', ''],
  'servers/getservers': [
    'admin',
    'cursor? limit? health? room? search? serverTunnelType? serverVPNType? state? sort?',
  ],
  'servers/countries': ['user', ''],
  'servers/add': [
    'admin',
    'serverName serverType serverUUID serverVersion serverVPNType serverVPNVersion serverIPV4 serverURL serverPort serverMaxAccounts serverTunnelActive serverTunnelType countryId serverProtocol? serverExpireDate? serverIPV6? serverSSHUsername? serverSSHPassword? serverSSHKey? serverLocation? serverDescription? serverProvider? serverHostingName? serverHostingUsername? serverHostingPassword? serverTargetCountry? serverTargetOperator? serverSNIAddress? serverConfigName? serverConfigJson? serverReplacePassword?',
  ],
  'servers/change': [
    'admin',
    'serverUUID serverIPV4 countryId serverSSHUsername? serverSSHPassword? serverSSHKey? serverReplacePassword? basedOn?',
  ],
  'servers/getansiblelog': ['admin', 'serverUUID runUUID?'],
  'tunnels/add': [
    'admin',
    'tunnelName tunnelUUID tunnelVersion tunnelType tunnelCreatorEmail tunnelIPV4 tunnelURL tunnelPort tunnelMaxAccounts tunnelSSHUsername? tunnelSSHPassword? tunnelSSHKey? tunnelReplacePassword?',
  ],
  'tunnels/change': [
    'admin',
    'tunnelUUID tunnelIPV4 tunnelSSHUsername? tunnelSSHPassword? tunnelSSHKey? tunnelReplacePassword? basedOn?',
  ],
  'tunnels/getansiblelog': ['admin', 'tunnelUUID runUUID?'],
  'accounts/getuseraccounts': ['user', 'cursor? limit? search? state? sort?'],
  'accounts/getaccount': ['user', 'accountUUID'],
  'accounts/new': [
    'user',
    'accountName accountVPNType accountTunnelEnabled accountTunnelType accountDuration countryId? quotedPoints? quotedTunnelCredit? quotedDebt?',
  ],
  'accounts/extendduration': [
    'user',
    'accountUUID accountDuration quotedPoints? quotedTunnelCredit? quotedDebt? quotedRenewal?',
  ],
  'accounts/setenabled': ['user', 'accountUUID accountEnabled'],
  'accounts/delete': ['user', 'accountUUID'],
}

const beyondSpec: Record<string, [Access, string]> = {
  'auth/signout': ['user', ''],
  'auth/changepassword': ['user', 'oldPassword newPassword'],
  'auth/getsessions': ['user', ''],
  'auth/revokesession': ['user', 'sessionId'],
  'auth/getstatement': ['user', 'cursor? limit?'],
  'accounts/quote': ['user', 'accountVPNType accountTunnelType accountDuration accountUUID? countryId?'],
  'accounts/quotebulk': ['user', 'accountUUIDs accountDuration'],
  'accounts/extendbulk': [
    'user',
    'accountUUIDs accountDuration quotedPoints? quotedTunnelCredit? quotedDebt? quotedRenewal?',
  ],
  'accounts/setenabledbulk': ['user', 'accountUUIDs accountEnabled'],
  'accounts/deletebulk': ['user', 'accountUUIDs'],
  'accounts/sendotp': ['anyone', 'mobile'],
  'accounts/checkotp': ['anyone', 'mobile otp'],
  'servers/getserver': ['admin', 'serverUUID'],
  'tunnels/gettunnel': ['admin', 'tunnelUUID'],
  'tunnels/gettunnels': ['admin', 'cursor? limit? health? room? search? state? sort? tunnelType?'],
  'servers/provision': ['admin', 'serverUUID'],
  'tunnels/provision': ['admin', 'tunnelUUID'],
  'servers/setready': ['admin', 'serverUUID reason'],
  'tunnels/setready': ['admin', 'tunnelUUID reason'],
  'admin/getdashboard': ['admin', ''],
  'admin/getusers': ['admin', 'search? filter? sort? cursor? limit?'],
  'admin/adjustusercredit': ['admin', 'userEmail amount reason basedOn?'],
  'admin/adjustusertunnelcredit': ['admin', 'userEmail amount reason basedOn?'],
  'admin/adjustuserdebt': ['admin', 'userEmail amount reason basedOn?'],
  'admin/setuserrate': ['admin', 'userEmail userCustomCreditRate basedOn?'],
  'admin/setuserdebtlimit': ['admin', 'userEmail value basedOn?'],
  'admin/setuserlevel': ['admin', 'userEmail value basedOn?'],
  'admin/getsettings': ['admin', ''],
  'admin/setsettings': [
    'admin',
    'defaultCreditRate? pointsPerDay? tunnelCreditPerDay? renewal? maxDevices? secondFactor? certificates? basedOn?',
  ],
  'admin/getstatement': ['admin', 'userEmail? cursor? limit?'],
  'admin/getaudit': ['admin', 'userEmail? about? actor? subject? action? from? until? cursor? limit?'],
  'accounts/clearabuse': ['admin', 'accountUUID'],
}

/** Named in neither document: what they promise elsewhere (CSV, a phone for SMS, a lost link, a second factor, hosts and people kept well) needs them. */
const own: Record<string, Access> = {
  'auth/getstatementfile': 'user',
  'admin/getstatementfile': 'admin',
  'admin/setuserphone': 'admin',
  'admin/getactivity': 'admin',
  'accounts/clearabusebulk': 'admin',
  'admin/getauditfile': 'admin',
  'admin/getauditsummary': 'admin',
  'admin/checkaudit': 'admin',
  'admin/search': 'admin',
  'admin/settlekey': 'admin',
  'accounts/newsubscriptionlink': 'user',
  'accounts/newsecret': 'user',
  'accounts/getusage': 'user',
  'auth/getsecondfactor': 'anyAdmin',
  'auth/startsecondfactor': 'anyAdmin',
  'auth/confirmsecondfactor': 'anyAdmin',
  'auth/removesecondfactor': 'anyAdmin',
  'auth/newrecoverycodes': 'anyAdmin',
  'admin/getuser': 'admin',
  'admin/setusersuspended': 'admin',
  'admin/resetuserpassword': 'admin',
  'admin/getusersessions': 'admin',
  'admin/endusersessions': 'admin',
  'admin/getaccounts': 'admin',
  'admin/getaccount': 'admin',
  'admin/setaccountenabled': 'admin',
  'admin/deleteaccount': 'admin',
  'admin/giftdays': 'admin',
  'admin/moveaccount': 'admin',
  'hosts/getruns': 'admin',
  'hosts/cancel': 'admin',
  'hosts/setpaused': 'admin',
  'hosts/edit': 'admin',
  'hosts/getmovetargets': 'admin',
  'hosts/quotemove': 'admin',
  'hosts/moveaccounts': 'admin',
  'hosts/remove': 'admin',
  'hosts/gethealth': 'admin',
  'hosts/gethostkey': 'admin',
  'hosts/accepthostkey': 'admin',
  'admin/getsshkey': 'admin',
  'admin/allowshrink': 'admin',
  'admin/revokenode': 'admin',
  'admin/gethostfigures': 'admin',
  'admin/quotecompensation': 'admin',
  'admin/compensate': 'admin',
  'admin/getcompensations': 'admin',
}

const at = (path: string) => calls.find((call) => call.path === `/api/v1/${path}`)

const isOptional = (schema: unknown) => (schema as z.ZodMiniType).safeParse(undefined).success

const fieldsOf = (path: string) =>
  Object.entries(at(path)?.input.shape ?? {})
    .filter(([name]) => !['client', 'clientVersion', 'lng'].includes(name))
    .map(([name, schema]) => (isOptional(schema) ? `${name}?` : name))

describe.each([
  ['spec.md section 7', spec],
  ['product.md, calls beyond spec.md', beyondSpec],
])('%s', (_, table) => {
  test.each(Object.entries(table))('%s', (path, [access, fields]) => {
    expect(at(path)?.access).toBe(access)
    expect(fieldsOf(path).sort()).toEqual(fields.split(' ').filter(Boolean).sort())
  })
})

test.each(Object.entries(own))('our own call %s is for %s', (path, access) => {
  expect(at(path)?.access).toBe(access)
})

/** spec.md section 5: which rule holds for which field. */
const ruleOf: Record<string, Record<string, keyof typeof rules>> = {
  'auth/signin': { email: 'signInEmail', password: 'signInPassword' },
  'auth/signup': { email: 'email', password: 'newPassword' },
  'auth/startsecondfactor': { password: 'signInPassword' },
  'auth/confirmsecondfactor': { code: 'secondFactorCode' },
  'auth/removesecondfactor': { password: 'signInPassword', code: 'secondFactorCode' },
  'auth/changepassword': { oldPassword: 'signInPassword', newPassword: 'newPassword' },
  'servers/add': {
    serverName: 'safeName',
    serverType: 'serverType',
    serverUUID: 'uuidV4',
    serverVersion: 'version',
    serverVPNType: 'vpnType',
    serverVPNVersion: 'version',
    serverIPV4: 'ipv4',
    serverURL: 'url',
    serverPort: 'port',
    serverMaxAccounts: 'maxAccounts',
    serverTunnelType: 'tunnelTypeOrNone',
    countryId: 'countryId',
    serverSSHUsername: 'optionalSshUser',
    serverSSHPassword: 'optionalSecret',
    serverSSHKey: 'optionalKey',
    serverConfigJson: 'configJson',
  },
  'tunnels/add': {
    tunnelName: 'safeName',
    tunnelUUID: 'uuidV4',
    tunnelVersion: 'version',
    tunnelType: 'tunnelType',
    tunnelCreatorEmail: 'email',
    tunnelIPV4: 'ipv4',
    tunnelURL: 'url',
    tunnelPort: 'port',
    tunnelMaxAccounts: 'maxAccounts',
  },
  'servers/change': { serverUUID: 'uuid', serverIPV4: 'ipv4', countryId: 'countryId' },
  'tunnels/change': { tunnelUUID: 'uuid', tunnelIPV4: 'ipv4' },
  'servers/getansiblelog': { serverUUID: 'uuid' },
  'tunnels/getansiblelog': { tunnelUUID: 'uuid' },
  'accounts/new': { accountName: 'accountName', accountVPNType: 'vpnType', accountDuration: 'days' },
  'accounts/quote': { accountDuration: 'days' },
  'accounts/extendduration': { accountUUID: 'uuid', accountDuration: 'days' },
  'accounts/sendotp': { mobile: 'phone' },
  'accounts/checkotp': { mobile: 'phone', otp: 'smsCode' },
  'admin/adjustusercredit': { amount: 'points', reason: 'reason' },
  'admin/adjustusertunnelcredit': { amount: 'points', reason: 'reason' },
  'admin/adjustuserdebt': { amount: 'dollars', reason: 'reason' },
  'admin/setuserdebtlimit': { value: 'dollarLimit' },
  'admin/setuserlevel': { value: 'level' },
}

test.each(Object.entries(ruleOf))('%s holds each field to its own rule', (path, fields) => {
  const shape: Readonly<Record<string, unknown>> = at(path)?.input.shape ?? {}
  const named = Object.keys(fields).map((field) => [field, nameOf(shape[field])])
  expect(Object.fromEntries(named)).toEqual(fields)
})

const nameOf = (schema: unknown) => Object.entries(rules).find(([, rule]) => rule === schema)?.[0]

test('there is no call that no document names', () => {
  const named = [spec, beyondSpec, own].flatMap((table) => Object.keys(table))
  expect(calls.map(({ path }) => path.replace('/api/v1/', '')).sort()).toEqual(named.sort())
})

test('what spec.md reads from a reply is in the reply, and of a call of spec.md the client needs nothing else', () => {
  const read: Record<string, string> = {
    'auth/signin': 'token',
    'auth/getuser': 'userEmail userLevel',
    'auth/getusercreditbytoken': 'userCredit userCreditDollars userTunnelCredit',
    'auth/getuserdebtbytoken': 'userDebt',
    'servers/getservers': 'serverUUID serverURL serverType',
    'servers/countries': 'countryId countryName countryFlag',
    'servers/getansiblelog': 'ansibleLog',
    'tunnels/getansiblelog': 'ansibleLog',
    'accounts/checkotp': 'secret',
    'admin/getusers':
      'userEmail userPhone userLevel userCredit userCreditDollars userTunnelCredit userDebt userDebtLimit userCreditRate userCustomCreditRate accounts',
  }
  const account =
    'accountUUID accountName accountVPNType accountTunnelEnabled accountTunnelType accountDuration accountExpireDate accountEnabled accountAbuse accountQRString server'
  for (const path of ['getuseraccounts', 'getaccount', 'extendduration', 'setenabled'])
    read[`accounts/${path}`] = account
  for (const [path, fields] of Object.entries(read)) {
    const output = at(path)?.output
    const shape =
      output && output.kind !== 'nothing' ? (output.item as unknown as { shape: object }).shape : {}
    const needed = Object.entries(shape).filter(([, schema]) => !isOptional(schema))
    expect(Object.keys(shape), path).toEqual(expect.arrayContaining(fields.split(' ')))
    if (path in spec) expect(needed.map(([name]) => name).sort(), path).toEqual(fields.split(' ').sort())
  }
  const country = { countryName: 'Germany', countryFlag: '/flags/de.svg' }
  const { output } = at('accounts/getaccount') ?? {}
  const { server } = (output as unknown as { item: { shape: { server: z.ZodMiniType } } }).item.shape
  expect(server.safeParse({ country }).success).toBe(true)
})

test('calls of which spec.md promises success alone need no item in the reply', () => {
  const bare = { response: { status: 1, httpCode: 200, message: 'OK', detailedResponse: [] } }
  const paths = ['servers/add', 'servers/change', 'tunnels/add', 'tunnels/change', 'accounts/new']
  for (const path of [...paths, 'accounts/delete', 'auth/signup'])
    expect(unwrap(at(path) as Call, bare), path).toBeUndefined()
})

test('no call of administrators answers with what a customer connects with', () => {
  const admins = calls.filter(({ access, output }) => access === 'admin' && output.kind !== 'nothing')
  for (const { path, output } of admins)
    expect(output.kind !== 'nothing' && namesIn(output.item), path).not.toMatch(/QRString|SubscriptionPath/)
})

/** The names of all fields, at every depth. */
function namesIn(schema: unknown): string {
  const { shape, def } = schema as { shape?: object; def?: { innerType?: unknown; element?: unknown } }
  const inner = [...Object.values(shape ?? {}), def?.innerType, def?.element].filter(Boolean)
  return [...Object.keys(shape ?? {}), ...inner.map(namesIn)].join(' ')
}

test('nothing secret is in a reply, but for the one password that is told once', () => {
  const secret = /password|Password|[hH]ash$|SSHKey|HostingUsername/
  for (const { path, output } of calls) {
    const shape = output.kind === 'nothing' ? {} : (output.item as unknown as { shape?: object }).shape
    expect(
      Object.keys(shape ?? {}).filter((name) => secret.test(name)),
      path,
    ).toEqual(path === '/api/v1/admin/resetuserpassword' ? ['password'] : [])
  }
})

test('the calls of nodes are these, and none of them is among those of people', () => {
  const own = ({ input }: Call) => Object.keys(input.shape).slice(3).join(' ')
  expect(nodeCalls.map((call) => [call.path, own(call)])).toEqual([
    ['/agent/v1/hello', 'coreVersion now certificate'],
    ['/agent/v1/desired', 'epoch digest'],
    [
      '/agent/v1/report',
      'epoch number digest core applied usage online gone refusedList connections load now',
    ],
    ['/agent/v1/certificate', ''],
  ])
  expect(strangerCalls.map((call) => [call.path, own(call)])).toEqual([['/agent/v1/stranger', '']])
  expect(calls.filter(({ path }) => path.includes('agent'))).toEqual([])
  for (const { access, path } of nodeCalls) {
    expect(access).toBe('node')
    expect(path).toMatch(/^\/agent\/v1\/[a-z]+$/)
  }
})

test('paths are unique, begin with /api/v1/ and are lower case', () => {
  const paths = [...calls, ...nodeCalls, ...strangerCalls, ...Object.values(routes)].map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  for (const { path } of calls) expect(path).toMatch(/^\/api\/v1\/[a-z]+\/[a-z]+$/)
})

/** Where none is a value too. */
const nullable = /userCustomCreditRate$|userPhone$|(?:setuserrate|setuserphone) basedOn$/

const everyCall: readonly Call[] = [...calls, ...nodeCalls, ...strangerCalls]

describe.each(everyCall.map((call) => [call.path, call] as const))('%s', (_, call) => {
  const common = { client: 'web', clientVersion: '1.0' }

  test('says who may, what it does and what it answers', () => {
    expect(['anyone', 'user', 'admin', 'anyAdmin', 'node', 'stranger']).toContain(call.access)
    expect(call.summary.length).toBeGreaterThan(5)
    expect(call.message).not.toBe('')
    expect(['nothing', 'one', 'success', 'list']).toContain(call.output.kind)
  })

  test('names only refusals that exist, each once', () => {
    for (const type of [...call.refusals, ...Object.values(call.invalid)])
      expect(refusals).toHaveProperty(type)
    expect(new Set(call.refusals).size).toBe(call.refusals.length)
    for (const [field, type] of Object.entries(call.invalid)) {
      expect(call.input.shape).toHaveProperty(field)
      expect(call.refusals).toContain(type)
    }
  })

  test('needs client and clientVersion; lng is en, fa or absent', () => {
    const issuesOf = (body: object) =>
      (call.input.safeParse(body).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message])
    expect(issuesOf({})).toEqual(
      expect.arrayContaining([
        ['client', 'client'],
        ['clientVersion', 'clientVersion'],
      ]),
    )
    for (const lng of [...languages, undefined])
      expect(issuesOf({ ...common, lng }).map(([field]) => field)).not.toContain('lng')
    for (const lng of ['de', '', null, 1])
      expect(issuesOf({ ...common, lng })).toEqual(expect.arrayContaining([['lng', 'choice']]))
  })

  test.each(['isAdmin', 'userLevel2', 'constructor', '__proto__', ''])(
    'refuses the unknown field %j',
    (field) => {
      const body = JSON.parse(`{"client":"web","clientVersion":"1.0",${JSON.stringify(field)}:1}`)
      const unknown = call.input
        .safeParse(body)
        .error?.issues.find(({ code }) => code === 'unrecognized_keys')
      expect(unknown).toMatchObject({ keys: [field] })
    },
  )

  test.each([[null], [[]], ['text'], [1], [undefined], [true]])('refuses %j as a body', (body) => {
    expect(call.input.safeParse(body).success).toBe(false)
  })

  test('tells the rule for every field that holds something else', () => {
    for (const [field, value] of Object.keys(call.input.shape).flatMap((name) =>
      [null, Symbol('other'), 2 ** 53, 1.234].map((other) => [name, other] as const),
    )) {
      const issues = call.input
        .safeParse({ ...common, [field]: value })
        .error?.issues.filter(({ path }) => path[0] === field)
      for (const { message } of issues ?? [])
        expect(Object.keys(ruleTexts), `${field} ${String(value)}`).toContain(message)
      const takesNull = value === null && nullable.test(`${call.path} ${field}`)
      expect(issues?.length ?? 0, `${field} ${String(value)}`)[takesNull ? 'toBe' : 'toBeGreaterThan'](0)
    }
  })
})

test('only what is bought or given, and what is done to many at once, takes an Idempotency-Key', () => {
  expect(calls.filter(({ idempotent }) => idempotent).map(({ path }) => path)).toEqual([
    '/api/v1/accounts/new',
    '/api/v1/accounts/extendduration',
    '/api/v1/accounts/extendbulk',
    '/api/v1/accounts/setenabledbulk',
    '/api/v1/accounts/deletebulk',
    '/api/v1/hosts/moveaccounts',
    '/api/v1/admin/compensate',
    '/api/v1/admin/adjustusercredit',
    '/api/v1/admin/adjustusertunnelcredit',
    '/api/v1/admin/adjustuserdebt',
    '/api/v1/admin/giftdays',
    '/api/v1/accounts/clearabusebulk',
  ])
})

test('a bad IPv4 address has a refusal of its own where spec.md says so', () => {
  expect(at('servers/change')?.invalid).toEqual({ serverIPV4: 'INVALID_IPV4' })
  expect(at('tunnels/change')?.invalid).toEqual({ tunnelIPV4: 'INVALID_IPV4' })
  expect(at('servers/add')?.invalid).toEqual({})
  expect(at('tunnels/add')?.invalid).toEqual({})
})
