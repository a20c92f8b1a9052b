import { randomBytes, randomUUID } from 'node:crypto'
import type { Call, RefusalType } from '@kelid/contract'
import * as contract from '@kelid/contract'
import {
  type Body,
  common,
  directAccount,
  sampleServer,
  sampleTunnel,
  testEnvironment,
  unusedAddress,
} from '../product.ts'

/** Fields that name a thing which must be there, and may be somebody else's. */
export const targetFields = [
  'accountUUID',
  'serverUUID',
  'tunnelUUID',
  'hostUUID',
  'userEmail',
  'sessionId',
] as const
export type TargetField = (typeof targetFields)[number]
export type Targets = Readonly<Record<TargetField, string>>

export const samplePassword = 'Kuh-Sabz-77'
export const freshEmail = () => `n${randomBytes(6).toString('hex')}@example.com`

type Sample = (targets: Targets) => object
const sample = <C extends Call>(call: C, body: (targets: Targets) => Body<C>): [string, Sample] => [
  call.path,
  body,
]
const empty = (call: Call): [string, Sample] => [call.path, () => ({})]

const { accountName: _, accountTunnelEnabled: __, ...direct } = directAccount
const reason = 'a reason'
/** Where the samples move accounts to. */
export const otherServerUUID = 'a4d2c1f0-5b6e-4c7d-8e9f-0a1b2c3d4e5f'

/** Of a node that holds nothing yet. */
export const emptyReport = (): Body<typeof contract.report> => ({
  epoch: '',
  number: 0,
  digest: '',
  core: { version: '26.3.27', bootId: 'boot-1', upSince: new Date().toISOString() },
  applied: [],
  usage: [],
  online: [],
  gone: [],
  refusedList: '',
  connections: 0,
  load: 0.25,
  now: new Date().toISOString(),
})

/** One good body for every call; a call without one fails every suite that walks through the contract. */
const samples = new Map<string, Sample>([
  sample(contract.signIn, () => ({
    email: testEnvironment.KELID_ADMIN_EMAIL,
    password: testEnvironment.KELID_ADMIN_PASSWORD,
  })),
  sample(contract.signUp, () => ({ email: freshEmail(), password: samplePassword })),
  empty(contract.signOut),
  sample(contract.changePassword, () => ({ oldPassword: samplePassword, newPassword: 'Abi-Asman-88' })),
  empty(contract.getUser),
  empty(contract.getUserCredit),
  empty(contract.getUserDebt),
  empty(contract.getSessions),
  sample(contract.revokeSession, ({ sessionId }) => ({ sessionId })),
  empty(contract.getSecondFactor),
  sample(contract.startSecondFactor, () => ({ password: samplePassword })),
  sample(contract.confirmSecondFactor, () => ({ code: '000000' })),
  sample(contract.removeSecondFactor, () => ({ password: samplePassword, code: '000000' })),
  sample(contract.newRecoveryCodes, () => ({ password: samplePassword, code: '000000' })),
  sample(contract.getStatement, () => ({ limit: 10 })),
  empty(contract.getStatementFile),
  sample(contract.getUserAccounts, () => ({ limit: 10, sort: 'accountName' as const })),
  sample(contract.getAccount, ({ accountUUID }) => ({ accountUUID })),
  sample(contract.newAccount, () => ({ ...directAccount, countryId: 276 })),
  sample(contract.extendDuration, ({ accountUUID }) => ({ accountUUID, accountDuration: 3 })),
  sample(contract.setEnabled, ({ accountUUID }) => ({ accountUUID, accountEnabled: false })),
  sample(contract.deleteAccount, ({ accountUUID }) => ({ accountUUID })),
  sample(contract.quoteAccount, ({ accountUUID }) => ({ ...direct, accountUUID })),
  sample(contract.quoteBulk, ({ accountUUID }) => ({ accountUUIDs: [accountUUID], accountDuration: 3 })),
  sample(contract.extendBulk, ({ accountUUID }) => ({ accountUUIDs: [accountUUID], accountDuration: 3 })),
  sample(contract.setEnabledBulk, ({ accountUUID }) => ({
    accountUUIDs: [accountUUID],
    accountEnabled: false,
  })),
  sample(contract.deleteBulk, ({ accountUUID }) => ({ accountUUIDs: [accountUUID] })),
  sample(contract.clearAbuse, ({ accountUUID }) => ({ accountUUID })),
  sample(contract.clearAbuseBulk, ({ serverUUID }) => ({ serverUUID })),
  sample(contract.renewSubscription, ({ accountUUID }) => ({ accountUUID })),
  sample(contract.newSecret, ({ accountUUID }) => ({ accountUUID })),
  sample(contract.getUsage, ({ accountUUID }) => ({ accountUUID })),
  sample(contract.sendOtp, () => ({ mobile: '09120000000' })),
  sample(contract.checkOtp, () => ({ mobile: '09120000000', otp: '0000' })),
  empty(contract.getCountries),
  empty(contract.getServers),
  sample(contract.getServer, ({ serverUUID }) => ({ serverUUID })),
  sample(contract.addServer, () => ({ ...sampleServer(), serverUUID: randomUUID() })),
  sample(contract.changeServer, ({ serverUUID }) => ({
    serverUUID,
    serverIPV4: unusedAddress(),
    countryId: 276,
  })),
  sample(contract.provisionServer, ({ serverUUID }) => ({ serverUUID })),
  sample(contract.setServerReady, ({ serverUUID }) => ({ serverUUID, reason })),
  sample(contract.getServerLog, ({ serverUUID }) => ({ serverUUID })),
  empty(contract.getTunnels),
  sample(contract.getTunnel, ({ tunnelUUID }) => ({ tunnelUUID })),
  sample(contract.addTunnel, () => ({ ...sampleTunnel(), tunnelUUID: randomUUID() })),
  sample(contract.changeTunnel, ({ tunnelUUID }) => ({ tunnelUUID, tunnelIPV4: unusedAddress() })),
  sample(contract.provisionTunnel, ({ tunnelUUID }) => ({ tunnelUUID })),
  sample(contract.setTunnelReady, ({ tunnelUUID }) => ({ tunnelUUID, reason })),
  sample(contract.getTunnelLog, ({ tunnelUUID }) => ({ tunnelUUID })),
  sample(contract.getHostRuns, ({ hostUUID }) => ({ hostUUID, limit: 10 })),
  sample(contract.cancelHostRun, ({ hostUUID }) => ({ hostUUID })),
  sample(contract.setHostPaused, ({ hostUUID }) => ({ hostUUID, hostPaused: true })),
  sample(contract.editHost, ({ hostUUID }) => ({ hostUUID, serverName: 'renamed' })),
  sample(contract.getHostMoveTargets, ({ hostUUID }) => ({ hostUUID, limit: 10 })),
  sample(contract.quoteHostMove, ({ hostUUID }) => ({ hostUUID, toHostUUID: hostUUID })),
  sample(contract.moveHostAccounts, ({ hostUUID }) => ({ hostUUID, toHostUUID: hostUUID, accounts: 0 })),
  sample(contract.removeHost, ({ hostUUID }) => ({ hostUUID })),
  sample(contract.getHostHealth, ({ hostUUID }) => ({ hostUUID })),
  sample(contract.getHostKey, ({ hostUUID }) => ({ hostUUID })),
  sample(contract.acceptHostKey, ({ hostUUID }) => ({ hostUUID })),
  sample(contract.allowShrink, ({ hostUUID }) => ({ hostUUID })),
  sample(contract.revokeNode, ({ hostUUID }) => ({ hostUUID })),
  sample(contract.getHostFigures, ({ hostUUID }) => ({ hostUUID })),
  empty(contract.getSshKey),
  sample(contract.quoteCompensation, ({ serverUUID }) => ({ serverUUID, days: 3 })),
  sample(contract.compensate, ({ serverUUID }) => ({ serverUUID, days: 3, accounts: 0, reason })),
  sample(contract.getCompensations, ({ serverUUID }) => ({ serverUUID, limit: 10 })),
  empty(contract.getDashboard),
  sample(contract.getActivity, () => ({ days: 7 })),
  sample(contract.getUsers, () => ({ limit: 10, search: 'example', sort: '-userCredit' as const })),
  sample(contract.adjustUserCredit, ({ userEmail }) => ({ userEmail, amount: 5, reason })),
  sample(contract.adjustUserTunnelCredit, ({ userEmail }) => ({ userEmail, amount: 5, reason })),
  sample(contract.adjustUserDebt, ({ userEmail }) => ({ userEmail, amount: 0.5, reason })),
  sample(contract.setUserRate, ({ userEmail }) => ({ userEmail, userCustomCreditRate: 120 })),
  sample(contract.setUserDebtLimit, ({ userEmail }) => ({ userEmail, value: 2.5 })),
  sample(contract.setUserLevel, ({ userEmail }) => ({ userEmail, value: 6 })),
  sample(contract.setUserPhone, ({ userEmail }) => ({ userEmail, userPhone: null })),
  sample(contract.getUserDetail, ({ userEmail }) => ({ userEmail })),
  sample(contract.setUserSuspended, ({ userEmail }) => ({ userEmail, userSuspended: false, reason })),
  sample(contract.resetUserPassword, ({ userEmail }) => ({ userEmail })),
  sample(contract.getUserSessions, ({ userEmail }) => ({ userEmail })),
  sample(contract.endUserSessions, ({ userEmail }) => ({ userEmail })),
  sample(contract.getAnyAccounts, ({ serverUUID }) => ({ serverUUID, limit: 10 })),
  sample(contract.getAnyAccount, ({ accountUUID }) => ({ accountUUID })),
  sample(contract.setAnyAccountEnabled, ({ accountUUID }) => ({ accountUUID, accountEnabled: false })),
  sample(contract.deleteAnyAccount, ({ accountUUID }) => ({ accountUUID, reason })),
  sample(contract.giftDays, ({ accountUUID }) => ({ accountUUID, accountDuration: 3, reason })),
  sample(contract.moveAccount, ({ accountUUID }) => ({ accountUUID, toServerUUID: otherServerUUID })),
  empty(contract.getSettings),
  sample(contract.setSettings, () => ({
    defaultCreditRate: 100,
    pointsPerDay: contract.defaultSettings.pointsPerDay,
    tunnelCreditPerDay: 1,
    renewal: 'extend' as const,
    maxDevices: 2,
    secondFactor: 'optional' as const,
    certificates: contract.defaultSettings.certificates,
  })),
  sample(contract.getUserStatement, ({ userEmail }) => ({ userEmail, limit: 10 })),
  sample(contract.getUserStatementFile, ({ userEmail }) => ({ userEmail })),
  sample(contract.getAudit, ({ userEmail }) => ({ userEmail, limit: 10 })),
  sample(contract.getAuditFile, ({ userEmail }) => ({ userEmail, from: '2026-01-01' })),
  empty(contract.getAuditSummary),
  empty(contract.checkAudit),
  sample(contract.searchEverywhere, () => ({ search: 'example' })),
  sample(contract.settleKey, () => ({ idempotencyKey: randomUUID() })),
  sample(contract.hello, () => ({ coreVersion: '26.3.27', now: new Date().toISOString() })),
  sample(contract.desired, () => ({ epoch: '', digest: '' })),
  sample(contract.report, () => emptyReport()),
  empty(contract.renewCertificate),
])

export function sampleBody(call: Call, targets: Targets): Record<string, unknown> {
  const body = samples.get(call.path)
  if (!body) throw new Error(`${call.path} has no sample body: add one to samples.ts`)
  return { ...common, ...body(targets) }
}

/** What whoever may is told, where the sample meets a state that is refused: nothing runs on it, one host is not another, nobody has a second factor. */
const refusedByState = new Map<Call, RefusalType>([
  [contract.sendOtp, 'SMS_OFF'],
  [contract.checkOtp, 'SMS_OFF'],
  [contract.cancelHostRun, 'NOTHING_RUNS'],
  [contract.acceptHostKey, 'RESOURCE_NOT_FOUND'],
  [contract.moveHostAccounts, 'NOT_THE_SAME_KIND'],
  [contract.confirmSecondFactor, 'RESOURCE_NOT_FOUND'],
  [contract.removeSecondFactor, 'RESOURCE_NOT_FOUND'],
  [contract.newRecoveryCodes, 'RESOURCE_NOT_FOUND'],
])

/** The errorType of the reply to a sample, or OK. */
export const outcomeOf = (call: Call): string => refusedByState.get(call) ?? 'OK'

const namesSomethingNew: readonly Call[] = [contract.addServer, contract.addTunnel]

/** The field by which a call names what it is about, if it does. */
export const targetOf = (call: Call): TargetField | null =>
  namesSomethingNew.includes(call) ? null : (targetFields.find((name) => name in call.input.shape) ?? null)
