import { randomBytes, randomUUID } from 'node:crypto'
import type { Call, RefusalType } from '@kelid/contract'
import * as contract from '@kelid/contract'
import { type Body, common } from '../calls.ts'
import { testEnvironment } from '../product.ts'
import { directAccount, samplePlan, sampleServer, sampleTunnel, unusedAddress } from '../sample-hosts.ts'

/** Fields that name a thing which must be there, and may be somebody else's. */
export const targetFields = [
  'accountUUID',
  'serverUUID',
  'tunnelUUID',
  'hostUUID',
  'planUUID',
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

/** Good bodies of calls that need more than a target and a limit. A call that lacks one fails the matrix of authorization. */
const samples = new Map<string, Sample>([
  sample(contract.signIn, () => ({
    email: testEnvironment.KELID_ADMIN_EMAIL,
    password: testEnvironment.KELID_ADMIN_PASSWORD,
  })),
  sample(contract.signUp, () => ({ email: freshEmail(), password: samplePassword })),
  sample(contract.changePassword, () => ({ oldPassword: samplePassword, newPassword: 'Abi-Asman-88' })),
  sample(contract.setContact, () => ({ userContact: '@shop' })),
  sample(contract.startSecondFactor, () => ({ password: samplePassword })),
  sample(contract.confirmSecondFactor, () => ({ code: '000000' })),
  sample(contract.removeSecondFactor, () => ({ password: samplePassword, code: '000000' })),
  sample(contract.newRecoveryCodes, () => ({ password: samplePassword, code: '000000' })),
  sample(contract.getUserAccounts, () => ({ limit: 10, sort: 'accountName' as const })),
  sample(contract.newAccount, () => ({ ...directAccount, countryId: 276 })),
  sample(contract.extendDuration, ({ accountUUID }) => ({ accountUUID, accountDuration: 3 })),
  sample(contract.setEnabled, ({ accountUUID }) => ({ accountUUID, accountEnabled: false })),
  sample(contract.setSpeed, ({ accountUUID }) => ({ accountUUID, accountSpeedLimit: 20 })),
  sample(contract.quoteAccount, ({ accountUUID }) => ({ ...direct, accountUUID })),
  sample(contract.addData, ({ accountUUID }) => ({ accountUUID, accountDataLimit: 5 })),
  sample(contract.quoteData, ({ accountUUID }) => ({ accountUUID, accountDataLimit: 5 })),
  sample(contract.newByPlan, () => ({ accountName: 'planned', planUUID: randomUUID() })),
  sample(contract.renewByPlan, ({ accountUUID }) => ({ accountUUID, planUUID: randomUUID() })),
  sample(contract.quoteByPlan, ({ accountUUID }) => ({ accountUUID, planUUID: randomUUID() })),
  sample(contract.quoteBulk, ({ accountUUID }) => ({ accountUUIDs: [accountUUID], accountDuration: 3 })),
  sample(contract.extendBulk, ({ accountUUID }) => ({ accountUUIDs: [accountUUID], accountDuration: 3 })),
  sample(contract.setEnabledBulk, ({ accountUUID }) => ({
    accountUUIDs: [accountUUID],
    accountEnabled: false,
  })),
  sample(contract.deleteBulk, ({ accountUUID }) => ({ accountUUIDs: [accountUUID] })),
  sample(contract.sendOtp, () => ({ mobile: '09120000000' })),
  sample(contract.checkOtp, () => ({ mobile: '09120000000', otp: '0000' })),
  sample(contract.addServer, () => ({ ...sampleServer(), serverUUID: randomUUID() })),
  sample(contract.changeServer, ({ serverUUID }) => ({
    serverUUID,
    serverIPV4: unusedAddress(),
    countryId: 276,
  })),
  sample(contract.replaceHost, ({ hostUUID }) => ({ hostUUID, reason })),
  sample(contract.getMachine, () => ({ machineIPV4: '192.0.2.10' })),
  sample(contract.getMachineRuns, () => ({ machineIPV4: '192.0.2.10' })),
  sample(contract.checkRealityTarget, () => ({ serverRealityTarget: 'www.example.com' })),
  sample(contract.setServerReady, ({ serverUUID }) => ({ serverUUID, reason })),
  sample(contract.addTunnel, () => ({ ...sampleTunnel(), tunnelUUID: randomUUID() })),
  sample(contract.changeTunnel, ({ tunnelUUID }) => ({ tunnelUUID, tunnelIPV4: unusedAddress() })),
  sample(contract.setTunnelReady, ({ tunnelUUID }) => ({ tunnelUUID, reason })),
  sample(contract.setHostPaused, ({ hostUUID }) => ({ hostUUID, hostPaused: true })),
  sample(contract.editHost, ({ hostUUID }) => ({ hostUUID, serverName: 'renamed' })),
  sample(contract.quoteHostMove, ({ hostUUID }) => ({ hostUUID, toHostUUID: hostUUID })),
  sample(contract.moveHostAccounts, ({ hostUUID }) => ({ hostUUID, toHostUUID: hostUUID, accounts: 0 })),
  sample(contract.quoteCompensation, ({ serverUUID }) => ({ serverUUID, days: 3 })),
  sample(contract.compensate, ({ serverUUID }) => ({ serverUUID, days: 3, accounts: 0, reason })),
  sample(contract.getCompensations, ({ serverUUID }) => ({ serverUUID, limit: 10 })),
  sample(contract.getActivity, () => ({ days: 7 })),
  sample(contract.getUsers, () => ({ limit: 10, search: 'example', sort: '-userCredit' as const })),
  sample(contract.adjustUserCredit, ({ userEmail }) => ({ userEmail, amount: 5, reason })),
  sample(contract.adjustUserTunnelCredit, ({ userEmail }) => ({ userEmail, amount: 5, reason })),
  sample(contract.adjustUserDebt, ({ userEmail }) => ({ userEmail, amount: 0.5, reason })),
  sample(contract.setUserRate, ({ userEmail }) => ({ userEmail, userCustomCreditRate: 120 })),
  sample(contract.setUserDebtLimit, ({ userEmail }) => ({ userEmail, value: 2.5 })),
  sample(contract.setUserLevel, ({ userEmail }) => ({ userEmail, value: 6 })),
  sample(contract.setUserPhone, ({ userEmail }) => ({ userEmail, userPhone: null })),
  sample(contract.setUserSuspended, ({ userEmail }) => ({ userEmail, userSuspended: false, reason })),
  sample(contract.getAnyAccounts, ({ serverUUID }) => ({ serverUUID, limit: 10 })),
  sample(contract.setAnyAccountEnabled, ({ accountUUID }) => ({ accountUUID, accountEnabled: false })),
  sample(contract.setAnyAccountMaxDevices, ({ accountUUID }) => ({ accountUUID, accountMaxDevices: 3 })),
  sample(contract.setAnyAccountSpeed, ({ accountUUID }) => ({ accountUUID, accountSpeedLimit: 20 })),
  sample(contract.deleteAnyAccount, ({ accountUUID }) => ({ accountUUID, reason })),
  sample(contract.resetData, ({ accountUUID }) => ({ accountUUID, reason })),
  sample(contract.giftDays, ({ accountUUID }) => ({ accountUUID, accountDuration: 3, reason })),
  sample(contract.moveAccount, ({ accountUUID }) => ({ accountUUID, toServerUUID: otherServerUUID })),
  sample(contract.addPlan, () => ({ ...samplePlan, planUUID: randomUUID(), planActive: true })),
  sample(contract.changePlan, ({ planUUID }) => ({ ...samplePlan, planUUID })),
  sample(contract.setPlanActive, ({ planUUID }) => ({ planUUID, planActive: false })),
  sample(contract.orderPlans, () => ({ planUUIDs: [randomUUID()] })),
  sample(contract.setSettings, () => ({
    defaultCreditRate: 100,
    pointsPerDay: contract.defaultSettings.pointsPerDay,
    tunnelCreditPerDay: 1,
    renewal: 'extend' as const,
    maxDevices: 2,
    secondFactor: 'optional' as const,
    certificates: contract.defaultSettings.certificates,
  })),
  sample(contract.setDnsProvider, () => ({
    dnsProvider: 'desec' as const,
    dnsCredentials: 'DESEC_TOKEN=a-token',
  })),
  sample(contract.getAuditFile, ({ userEmail }) => ({ userEmail, from: '2026-01-01' })),
  sample(contract.searchEverywhere, () => ({ search: 'example' })),
  sample(contract.settleKey, () => ({ idempotencyKey: randomUUID() })),
  sample(contract.hello, () => ({ coreVersion: '26.3.27', now: new Date().toISOString() })),
  sample(contract.desired, () => ({ epoch: '', digest: '' })),
  sample(contract.report, () => emptyReport()),
])

export function sampleBody(call: Call, targets: Targets): Record<string, unknown> {
  const field = targetOf(call)
  const derived = () => ({
    ...(field && { [field]: targets[field] }),
    ...('limit' in call.input.shape && { limit: 10 }),
  })
  return { ...common, ...(samples.get(call.path) ?? derived)(targets) }
}

/** Samples that are refused in the state of the tests: nothing runs, there is no core, one host is not another, no plan is sold, nobody has a second factor. */
const refusedByState = new Map<Call, RefusalType>([
  [contract.sendOtp, 'SMS_OFF'],
  [contract.checkOtp, 'SMS_OFF'],
  [contract.newByPlan, 'PLAN_NOT_SOLD'],
  [contract.renewByPlan, 'PLAN_NOT_SOLD'],
  [contract.quoteByPlan, 'PLAN_NOT_SOLD'],
  [contract.orderPlans, 'CHANGED_MEANWHILE'],
  [contract.cancelHostRun, 'NOTHING_RUNS'],
  [contract.newRealityKeys, 'NO_REALITY'],
  [contract.stopReplacing, 'NOTHING_RUNS'],
  [contract.endBlock, 'NOTHING_RUNS'],
  [contract.acceptHostKey, 'RESOURCE_NOT_FOUND'],
  [contract.moveHostAccounts, 'NOT_THE_SAME_KIND'],
  [contract.upgradeHost, 'NO_PROGRAMS'],
  [contract.startRollout, 'NO_PROGRAMS'],
  [contract.stopRollout, 'NOTHING_RUNS'],
  [contract.confirmSecondFactor, 'RESOURCE_NOT_FOUND'],
  [contract.removeSecondFactor, 'RESOURCE_NOT_FOUND'],
  [contract.newRecoveryCodes, 'RESOURCE_NOT_FOUND'],
])

/** The errorType of the reply to a sample, or OK. */
export const outcomeOf = (call: Call): string => refusedByState.get(call) ?? 'OK'

/** A purchase tells nobody whether an unknown plan is there. */
const namesNoTarget: readonly Call[] = [
  contract.addServer,
  contract.addTunnel,
  contract.addPlan,
  contract.newByPlan,
]

/** The field by which a call names what it is about, if it does. */
export const targetOf = (call: Call): TargetField | null =>
  namesNoTarget.includes(call) ? null : (targetFields.find((name) => name in call.input.shape) ?? null)
