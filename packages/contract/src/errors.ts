/** `{name}` marks a parameter. The client has its own translations and does not load these texts. */
export const refusals = {
  BAD_REQUEST: { httpCode: 400, text: 'Client: Bad request' },
  INCOMPLETE_INFORMATION: { httpCode: 400, text: 'Client: Incomplete information' },
  UNKNOWN_FIELD: { httpCode: 400, text: 'Unknown field: {field}' },
  INVALID_IPV4: { httpCode: 400, text: 'Please provide a valid IPv4 address' },
  FORBIDDEN_TARGET: {
    httpCode: 400,
    text: 'The address {address} is reserved and cannot be used here',
  },
  UNAUTHENTICATED: { httpCode: 401, text: 'Please log in to continue' },
  WRONG_CREDENTIALS: { httpCode: 401, text: 'The e-mail or the password is wrong' },
  WRONG_CODE: { httpCode: 401, text: 'The code is wrong or no longer valid' },
  SECOND_FACTOR_REQUIRED: {
    httpCode: 401,
    text: 'Enter the code of your authenticator app, or a recovery code, as well',
  },
  ACCESS_DENIED: { httpCode: 403, text: 'Access denied. Admin privileges required.' },
  SECOND_FACTOR_MISSING: { httpCode: 403, text: 'Set up your second factor first; administrators need one' },
  DNS_PROVIDER_MISSING: { httpCode: 409, text: 'Save the DNS provider with its credentials first' },
  ACCOUNT_SUSPENDED: {
    httpCode: 403,
    text: 'This user account is suspended; only an administrator can open it again',
  },
  ACCOUNT_ABUSED: {
    httpCode: 403,
    text: 'This account was stopped for abuse; clear the abuse first',
  },
  CLEARED_TOO_OFTEN: {
    httpCode: 403,
    text: 'You have opened this account three times in 30 days; the next time is possible from {date} on. An administrator can open it sooner',
  },
  FOREIGN_REPORT: {
    httpCode: 403,
    text: 'The report names accounts of other hosts, so none of it was taken',
  },
  RESOURCE_NOT_FOUND: { httpCode: 404, text: 'There is nothing here under that address or number' },
  METHOD_NOT_ALLOWED: { httpCode: 405, text: 'Calls are made with POST' },
  QUOTE_CHANGED: {
    httpCode: 409,
    text: 'The price has changed since it was shown, and nothing was charged; look at the new one and confirm again',
  },
  INSUFFICIENT_CREDIT: { httpCode: 409, text: 'Not enough credit: {missing} points are missing' },
  INSUFFICIENT_TUNNEL_CREDIT: { httpCode: 409, text: 'Not enough tunnel credit: {missing} are missing' },
  DEBT_TOO_SMALL: { httpCode: 409, text: 'The debt is smaller than that: it is {debt} dollars' },
  DATA_LIMIT_REQUIRED: {
    httpCode: 409,
    text: 'Accounts without a limit of data are not sold here; choose how many GB',
  },
  NO_DATA_LIMIT: { httpCode: 409, text: 'This account has no limit of data, so there is nothing to add to' },
  DATA_LIMIT_TOO_LARGE: { httpCode: 409, text: 'An account can have at most {gigabytes} GB' },
  PLAN_NOT_SOLD: { httpCode: 409, text: 'This plan is not on offer any more; choose another' },
  PLAN_MISMATCH: {
    httpCode: 409,
    text: 'This plan has other VPN types, another data limit or another number of devices than the account; choose another',
  },
  PLAN_REQUIRED: { httpCode: 409, text: 'Accounts are sold by plan here; choose a plan' },
  TOO_MANY_PLANS: { httpCode: 409, text: 'There are {plans} plans already; delete one first' },
  NO_CAPACITY: { httpCode: 409, text: 'No server has room for this account right now' },
  EMAIL_TAKEN: { httpCode: 409, text: 'There is already an account with this e-mail' },
  PHONE_TAKEN: { httpCode: 409, text: 'Another user has this phone number' },
  CONTROL_PLANE_NAME: {
    httpCode: 409,
    text: "{name} is a name of this control plane and cannot be a server's; choose another",
  },
  UUID_TAKEN: { httpCode: 409, text: 'This UUID belongs to something else already' },
  PORT_TAKEN: {
    httpCode: 409,
    text: '{name} has port {port} at {address} already; choose another port',
  },
  TUNNEL_TAKEN: {
    httpCode: 409,
    text: '{name} at {address} is a tunnel already, and a machine carries one tunnel only',
  },
  MACHINE_FULL: {
    httpCode: 409,
    text: 'The machine at {address} carries 9 services already',
  },
  ADDRESS_IN_CLEANING: {
    httpCode: 409,
    text: 'The machine at {address} is being cleaned after {name}; wait until that is done',
  },
  ADDRESS_STILL_USED: {
    httpCode: 409,
    text: '{name} still serves from {address}; provision it at its new address or remove it',
  },
  TLS_NAME_TAKEN: {
    httpCode: 409,
    text: '{name} has the TLS name {tlsName} already; tunnels could not tell the two servers apart',
  },
  CONFIG_NOT_ALLOWED: {
    httpCode: 400,
    text: 'The additional configuration may not contain {field}: it may add outbounds and routing.rules only, without files, listeners and own names',
  },
  NO_CLIENT_HELLO: {
    httpCode: 400,
    text: 'Apps of the VPN type {vpnType} imitate no browser, so it has neither a fingerprint nor an ALPN',
  },
  NO_REALITY: { httpCode: 400, text: 'The VPN type {vpnType} does not use REALITY' },
  NO_QUIC: { httpCode: 400, text: 'The VPN type {vpnType} has neither obfuscation nor port hopping' },
  BEING_REPLACED: { httpCode: 409, text: 'The accounts of this host are being moved to other hosts already' },
  KEYS_CHANGING: {
    httpCode: 409,
    text: 'The keys before work until {date}; they can be changed again after that',
  },
  SECOND_FACTOR_ON: { httpCode: 409, text: 'A second factor is set up already; remove it first' },
  LAST_ADMIN: { httpCode: 409, text: 'The last administrator cannot be demoted or suspended' },
  OWN_SUSPENSION: { httpCode: 409, text: 'Administrators cannot suspend themselves' },
  CHANGED_MEANWHILE: {
    httpCode: 409,
    text: 'Somebody else has changed this since it was shown, and nothing was saved; look at what it is now and decide again',
  },
  NOTHING_RUNS: { httpCode: 409, text: 'Nothing waits or runs here that could be cancelled' },
  LIMIT_TOO_SMALL: { httpCode: 409, text: 'The limit cannot be below the accounts there are: {accounts}' },
  HOST_NOT_EMPTY: {
    httpCode: 409,
    text: 'There are still accounts on it: {accounts}; move or delete them first',
  },
  HOST_NOT_READY: {
    httpCode: 409,
    text: 'Accounts can only be moved to one that is ready, not paused and within its traffic quota',
  },
  NOT_THE_SAME_KIND: { httpCode: 409, text: 'Accounts can only be moved to another one of the same kind' },
  NO_ROOM: {
    httpCode: 409,
    text: 'There is not enough room: {accounts} accounts are to move, and {room} fit',
  },
  NO_WAY_THERE: {
    httpCode: 409,
    text: 'Customers would not get through: the way there has not been proven, or it is broken',
  },
  UP_TO_DATE: { httpCode: 409, text: 'All of this runs the newest programs already' },
  NO_PROGRAMS: {
    httpCode: 409,
    text: 'There is nothing to install: this installation has no core, or its agent is not built',
  },
  UPGRADE_ONE_FIRST: {
    httpCode: 409,
    text: 'No host runs the newest programs so far; upgrade one first and watch it',
  },
  COMPENSATION_RUNS: {
    httpCode: 409,
    text: 'A compensation for this one is still being given; wait until it has finished',
  },
  BALANCE_TOO_LARGE: { httpCode: 409, text: 'The balance would pass what can be kept' },
  EXPIRY_TOO_FAR: { httpCode: 409, text: 'An account can be valid for at most {days} days from now' },
  KEY_REUSED: { httpCode: 409, text: 'This Idempotency-Key was used for another request' },
  PASSWORD_TOO_COMMON: { httpCode: 400, text: 'This password is too easy to guess; choose another' },
  SMS_OFF: { httpCode: 409, text: 'Signing in by SMS is switched off' },
  BODY_TOO_LARGE: { httpCode: 413, text: 'The request is larger than {bytes} bytes' },
  WRONG_CONTENT_TYPE: { httpCode: 415, text: 'The request must be application/json' },
  TOO_MANY_KEYS: {
    httpCode: 429,
    text: 'Too many changes in 24 hours: at most {keys} requests with an Idempotency-Key are kept; try again later',
  },
  TOO_MANY_ATTEMPTS: { httpCode: 429, text: 'Too many attempts; try again in {seconds} seconds' },
  INTERNAL: {
    httpCode: 500,
    text: 'The server failed on this request; nothing was changed. Request {requestId}',
    autoHide: false,
  },
  REPLY_FAILED: {
    httpCode: 500,
    text: 'The server did what was asked but could not write its answer; look before you try again. Request {requestId}',
    autoHide: false,
  },
  BUSY: { httpCode: 503, text: 'The server is busy; try again in a moment' },
  UNAVAILABLE: {
    httpCode: 503,
    text: 'The server cannot reach its database; nothing was changed. Try again in a moment',
  },
  OUTCOME_UNKNOWN: {
    httpCode: 503,
    text: 'It is not known whether this was done: the database went away while it was being saved. Trying again with the same Idempotency-Key is harmless; without one, look first',
    autoHide: false,
  },
} as const satisfies Record<string, { httpCode: number; text: string; autoHide?: boolean }>

export type RefusalType = keyof typeof refusals
export type RefusalParameters = Readonly<Record<string, string | number>>

export const commonRefusals = [
  'BAD_REQUEST',
  'INCOMPLETE_INFORMATION',
  'UNKNOWN_FIELD',
  'BODY_TOO_LARGE',
  'WRONG_CONTENT_TYPE',
  'INTERNAL',
  'REPLY_FAILED',
  'UNAVAILABLE',
  'OUTCOME_UNKNOWN',
] as const satisfies readonly RefusalType[]

export const callerRefusals = [
  'UNAUTHENTICATED',
  'TOO_MANY_ATTEMPTS',
] as const satisfies readonly RefusalType[]

export class Refusal extends Error {
  readonly type: RefusalType
  readonly parameters: RefusalParameters
  readonly fields: Readonly<Record<string, string>>

  constructor(
    type: RefusalType,
    parameters: RefusalParameters = {},
    fields: Readonly<Record<string, string>> = {},
  ) {
    super(refusalText(type, parameters))
    this.name = 'Refusal'
    this.type = type
    this.parameters = parameters
    this.fields = fields
  }
}

export const refusalText = (type: RefusalType, parameters: RefusalParameters = {}): string =>
  refusals[type].text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole))

/** spec.md section 8, to the letter. */
export const clientMessages = {
  incompleteInformation: 'Client: Incomplete information',
  invalidIPv4: 'Please provide a valid IPv4 address',
  fetchingServers: 'Client: Error fetching servers',
  fetchingAccounts: 'Client: Error fetching accounts',
  fetchingAccount: 'Client: Error fetching account information',
  fetchingCountries: 'Error fetching countries',
  fetchCountriesFailed: 'Failed to fetch countries',
  accessDenied: 'Access denied. Admin privileges required.',
  accessDeniedTitle: 'Access Denied - Admin privileges required',
  verifyAdminFailed: 'Failed to verify admin privileges',
  verifyingAdmin: 'Error verifying admin privileges',
  networkCreatingAccount: 'Network error occurred while creating account',
  serverCreatingAccount: 'Server error occurred while creating account',
  badRequest: 'Client: Bad request',
  fetchingCredit: 'Error when fetching user credit',
  fetchingDebt: 'Error when fetching user debt',
  fetchingUser: 'Error when fetching user',
  loginForManagement: 'Please login to access management',
  chunkFailed: 'Loading chunk failed',
} as const

export const clientLabels = {
  invalidAccount: 'INVALID ACCOUNT',
  abuse: 'ABUSE!!',
  noUsersFound: 'No users found matching your search',
  noUsers: 'No users available',
  noAccounts: 'YOU DONT HAVE ANY ACCOUNTS',
  noServers: 'YOU DONT HAVE ANY SERVERS',
  noTunnels: 'YOU DONT HAVE ANY TUNNELS',
  adminAccessDenied: 'ADMIN ACCESS DENIED',
} as const
