import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { adminRules as rules } from './admin-rules.ts'
import { getUser } from './auth.ts'
import type { Access, Call } from './call.ts'
import { calls, nodeCalls } from './calls.ts'
import { languages } from './constants/languages.ts'
import { unwrap } from './envelope.ts'
import { routes } from './routes.ts'
import { ruleTexts } from './rules.ts'

/**
 * spec.md section 7: who may, and the call's own fields. `?` marks an optional one; a rule of spec.md section 5 follows a
 * colon.
 */
const spec: Record<string, [Access, string]> = {
  'auth/signin': ['anyone', 'email:signInEmail password:signInPassword secondFactorCode?'],
  'auth/signup': ['anyone', 'email:email password:newPassword'],
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
    'serverName:safeName serverType:serverType serverUUID:uuidV4 serverVersion:version serverVPNType:vpnType serverVPNVersion:version serverIPV4:ipv4 serverURL:url serverPort:port serverMaxAccounts:maxAccounts serverTunnelActive serverTunnelType:tunnelTypeOrNone countryId:countryId serverProtocol? serverExpireDate? serverIPV6? serverSSHUsername?:optionalSshUser serverSSHPassword?:optionalSecret serverSSHKey?:optionalKey serverLocation? serverDescription? serverProvider? serverHostingName? serverHostingUsername? serverHostingPassword? serverTargetCountry? serverTargetOperator? serverSNIAddress? serverConfigName? serverConfigJson?:configJson serverSSHPort? serverReplacePassword? serverFingerprint? serverAlpn? serverRealityTarget? serverSite? serverObfuscated? serverHopPorts? serverQuota? serverQuotaDay?',
  ],
  'servers/change': [
    'admin',
    'serverUUID:uuid serverIPV4:ipv4 countryId:countryId serverURL? serverPort? serverSNIAddress? serverRealityTarget? serverSite? serverObfuscated? serverHopPorts? serverConfigJson?:configJson serverSSHPort? serverSSHUsername? serverSSHPassword? serverSSHKey? serverReplacePassword? basedOn?',
  ],
  'servers/getansiblelog': ['admin', 'serverUUID:uuid runUUID?'],
  'tunnels/add': [
    'admin',
    'tunnelName:safeName tunnelUUID:uuidV4 tunnelVersion:version tunnelType:tunnelType tunnelCreatorEmail:email tunnelIPV4:ipv4 tunnelURL:url tunnelPort:port tunnelMaxAccounts:maxAccounts tunnelIPV6? tunnelSite? tunnelQuota? tunnelQuotaDay? tunnelSSHPort? tunnelSSHUsername? tunnelSSHPassword? tunnelSSHKey? tunnelReplacePassword?',
  ],
  'tunnels/change': [
    'admin',
    'tunnelUUID:uuid tunnelIPV4:ipv4 tunnelURL? tunnelPort? tunnelSite? tunnelSSHPort? tunnelSSHUsername? tunnelSSHPassword? tunnelSSHKey? tunnelReplacePassword? basedOn?',
  ],
  'tunnels/getansiblelog': ['admin', 'tunnelUUID:uuid runUUID?'],
  'accounts/getuseraccounts': ['user', 'cursor? limit? search? state? sort? withLinks?'],
  'accounts/getaccount': ['user', 'accountUUID:uuid'],
  'accounts/new': [
    'user',
    'accountName:accountName accountVPNType:vpnType accountTunnelEnabled accountTunnelType accountDuration:days countryId? accountAlsoBy? accountDataLimit? accountDataReset? accountMaxDevices? accountStart? accountTargetCountry? accountTargetOperator? quotedPoints? quotedTunnelCredit? quotedDebt?',
  ],
  'accounts/extendduration': [
    'user',
    'accountUUID:uuid accountDuration:days accountDataLimit? quotedPoints? quotedTunnelCredit? quotedDebt? quotedRenewal?',
  ],
  'accounts/setenabled': ['user', 'accountUUID:uuid accountEnabled'],
  'accounts/delete': ['user', 'accountUUID:uuid'],
  'accounts/sendotp': ['anyone', 'mobile:phone'],
  'accounts/checkotp': ['anyone', 'mobile:phone otp:smsCode'],
}

/** Paths that product.md names beyond spec.md. */
const productPaths = [
  'auth/signout auth/changepassword auth/getsessions auth/revokesession auth/getstatement',
  'accounts/quote accounts/quotebulk accounts/extendbulk accounts/setenabledbulk accounts/deletebulk',
  'accounts/clearabuse servers/getserver tunnels/gettunnel tunnels/gettunnels',
  'servers/provision tunnels/provision servers/setready tunnels/setready',
  'admin/getdashboard admin/getusers admin/adjustusercredit admin/adjustusertunnelcredit admin/adjustuserdebt',
  'admin/setuserrate admin/setuserdebtlimit admin/setuserlevel admin/getsettings admin/setsettings',
  'admin/getstatement admin/getaudit',
].flatMap((line) => line.split(' '))

/** Exceptions from the access of their folder. */
const otherAccess: Record<string, Access> = {
  'auth/signin': 'anyone',
  'auth/signup': 'anyone',
  'accounts/sendotp': 'anyone',
  'accounts/checkotp': 'anyone',
  'servers/countries': 'user',
  'accounts/clearabusebulk': 'admin',
  'auth/getsecondfactor': 'anyAdmin',
  'auth/startsecondfactor': 'anyAdmin',
  'auth/confirmsecondfactor': 'anyAdmin',
  'auth/removesecondfactor': 'anyAdmin',
  'auth/newrecoverycodes': 'anyAdmin',
}

const at = (path: string) => calls.find((call) => call.path === `/api/v1/${path}`)

const isOptional = (schema: unknown) => (schema as z.ZodMiniType).safeParse(undefined).success

const nameOf = (schema: unknown) => Object.entries(rules).find(([, rule]) => rule === schema)?.[0]

test.each(Object.entries(spec))('%s is as spec.md has it', (path, [access, fields]) => {
  expect(at(path)?.access).toBe(access)
  const { client: _, clientVersion: __, lng: ___, ...shape } = at(path)?.input.shape ?? {}
  const expected = fields.split(' ').filter(Boolean).sort()
  const actual = Object.entries<unknown>(shape).map(([name, schema]) => {
    const field = isOptional(schema) ? `${name}?` : name
    return expected.includes(field) ? field : `${field}:${nameOf(schema)}`
  })
  expect(actual.sort()).toEqual(expected)
})

test.each([
  ['auth/startsecondfactor', { password: 'signInPassword' }],
  ['auth/confirmsecondfactor', { code: 'secondFactorCode' }],
  ['auth/removesecondfactor', { password: 'signInPassword', code: 'secondFactorCode' }],
  ['auth/changepassword', { oldPassword: 'signInPassword', newPassword: 'newPassword' }],
  ['accounts/quote', { accountDuration: 'days' }],
  ['admin/adjustusercredit', { amount: 'points', reason: 'reason' }],
  ['admin/adjustusertunnelcredit', { amount: 'points', reason: 'reason' }],
  ['admin/adjustuserdebt', { amount: 'dollars', reason: 'reason' }],
  ['admin/setuserdebtlimit', { value: 'dollarLimit' }],
  ['admin/setuserlevel', { value: 'level' }],
])('%s holds passwords and money to the rules %o', (path, fields) => {
  const shape: Readonly<Record<string, unknown>> = at(path)?.input.shape ?? {}
  expect(Object.fromEntries(Object.keys(fields).map((name) => [name, nameOf(shape[name])]))).toEqual(fields)
})

test('the calls of product.md exist, and each folder has its access', () => {
  const paths = calls.map(({ path }) => path.replace('/api/v1/', ''))
  expect(paths).toEqual(expect.arrayContaining(productPaths))
  const folders: Record<string, Access> = { auth: 'user', accounts: 'user' }
  const expected = paths.map((path) => [
    path,
    otherAccess[path] ?? folders[path.split('/')[0] ?? ''] ?? 'admin',
  ])
  expect(calls.map(({ access }, index) => [paths[index], access])).toEqual(expected)
})

test('replies have the fields of spec.md, and the client needs no others from calls of spec.md', () => {
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

test('no administrator call returns connection secrets of customers', () => {
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

test('no reply contains a secret, except a reset password, once', () => {
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
      'epoch number digest core applied usage online gone moved leases begun refusedList connections load now troubles',
    ],
    ['/agent/v1/certificate', ''],
  ])
  expect(calls.filter(({ path }) => path.includes('agent'))).toEqual([])
  for (const { access, path } of nodeCalls) {
    expect(access).toBe('node')
    expect(path).toMatch(/^\/agent\/v1\/[a-z]+$/)
  }
})

test('paths are unique, begin with /api/v1/ and are lower case', () => {
  const paths = [...calls, ...nodeCalls, ...Object.values(routes)].map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  for (const { path } of calls) expect(path).toMatch(/^\/api\/v1\/[a-z]+\/[a-z]+$/)
})

/** Where none is a value too. */
const nullable =
  /userCustomCreditRate$|userPhone$|setaccountmaxdevices accountMaxDevices$|speed accountSpeedLimit$|(?:setuserrate|setuserphone|setaccountmaxdevices|setaccountspeed) basedOn$/

const everyCall: readonly Call[] = [...calls, ...nodeCalls]

test('every call names each refusal once, and refusals of fields that it has', () => {
  for (const { path, input, invalid, refusals } of everyCall) {
    expect(new Set(refusals).size, path).toBe(refusals.length)
    for (const [field, type] of Object.entries(invalid)) {
      expect(input.shape, path).toHaveProperty(field)
      expect(refusals, path).toContain(type)
    }
  }
})

test('client and clientVersion are required; lng is a language or absent', () => {
  const issuesOf = (body: object) =>
    (getUser.input.safeParse(body).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message])
  expect(issuesOf({})).toEqual([
    ['client', 'client'],
    ['clientVersion', 'clientVersion'],
  ])
  const common = { client: 'web', clientVersion: '1.0' }
  for (const lng of [...languages, undefined]) expect(issuesOf({ ...common, lng })).toEqual([])
  for (const lng of ['de', '', null, 1]) expect(issuesOf({ ...common, lng })).toEqual([['lng', 'choice']])
})

test('every field names its rule when it holds something else', () => {
  const others = [null, Symbol('other'), 2 ** 53, 1.234]
  for (const { path, input } of everyCall)
    for (const field of Object.keys(input.shape))
      for (const value of others) {
        const what = `${path} ${field} ${String(value)}`
        const issues = (input.safeParse({ [field]: value }).error?.issues ?? []).filter(
          (one) => one.path[0] === field,
        )
        for (const { message } of issues) expect(Object.keys(ruleTexts), what).toContain(message)
        const takesNull = value === null && nullable.test(`${path} ${field}`)
        expect(issues.length > 0, what).toBe(!takesNull)
      }
})

test('only purchases, gifts and bulk calls accept an Idempotency-Key', () => {
  expect(calls.filter(({ idempotent }) => idempotent).map(({ path }) => path)).toEqual([
    '/api/v1/accounts/new',
    '/api/v1/accounts/extendduration',
    '/api/v1/accounts/adddata',
    '/api/v1/accounts/newbyplan',
    '/api/v1/accounts/renewbyplan',
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

test('an invalid IPv4 address has its own refusal where spec.md says so', () => {
  expect(at('servers/change')?.invalid).toEqual({ serverIPV4: 'INVALID_IPV4' })
  expect(at('tunnels/change')?.invalid).toEqual({ tunnelIPV4: 'INVALID_IPV4' })
  expect(at('servers/add')?.invalid).toEqual({})
  expect(at('tunnels/add')?.invalid).toEqual({})
})
