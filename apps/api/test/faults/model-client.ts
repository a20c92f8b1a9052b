import { randomUUID } from 'node:crypto'
import {
  addData,
  adjustUserCredit,
  adjustUserDebt,
  adjustUserTunnelCredit,
  type Call,
  day,
  deleteAccount,
  extendDuration,
  getPlans,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  newAccount,
  newByPlan,
  quoteAccount,
  quoteByPlan,
  renewByPlan,
  setEnabled,
  setUserDebtLimit,
  setUserRate,
} from '@kelid/contract'
import { expect } from 'vitest'
import type { Reply } from '../calls.ts'
import type { Person } from '../product.ts'
import * as model from './model.ts'
import type { Random } from './random.ts'
import type { SharedPlaces } from './shared-places.ts'

type Purchase =
  | typeof newAccount
  | typeof newByPlan
  | typeof extendDuration
  | typeof renewByPlan
  | typeof addData

interface People {
  user: Person
  admin: Person
}

export type ModelClient = ReturnType<typeof modelClient>

/** One reseller who makes one call after the other, while seven others do the same. */
export function modelClient(
  people: People,
  book: model.ModelUser,
  places: Record<model.SoldType, SharedPlaces>,
  { whole, pick, chance }: Random,
) {
  let lastPurchase: { at: number; uuid: string; again: () => Promise<string> } | null = null

  const expectRefusal = (
    reply: Pick<Reply<Call>, 'errorType' | 'envelope'>,
    { errorType, missing }: { errorType: string; missing: number },
  ) => {
    expect(reply.errorType).toBe(errorType)
    expect(reply.envelope.response.error?.errorParameters).toEqual({ missing })
  }
  const stateIn = (account: model.ModelAccount, rules: model.Rules) => ({
    accountUUID: account.uuid,
    accountVPNType: account.vpnType,
    accountDuration: model.wholeDaysLeft(account.expires, model.begins(account, rules.now)),
    accountDataLimit: account.gigabytes,
    accountStartBy:
      account.startsBy !== null && account.startsBy > rules.now
        ? new Date(account.startsBy).toISOString()
        : null,
    accountExpireDate: new Date(account.expires).toISOString(),
    accountEnabled: account.isEnabled,
    accountState: model.stateOf(account, rules.now),
    accountPlan: account.plan && { planUUID: account.plan.uuid },
  })
  const outcome = (reply: Reply<Purchase>) => reply.errorType ?? reply.answer().accountUUID
  const anAccount = () => (book.accounts.size > 0 && chance(0.95) ? pick([...book.accounts.values()]) : null)
  const days = () => (chance(0.1) ? whole(100, 364) : whole(1, 12))
  const wanted = (): model.Wanted => {
    const gigabytes = chance(0.5) ? whole(1, 40) : null
    const isMonthly = gigabytes !== null && chance(0.5)
    return {
      days: days(),
      gigabytes,
      isMonthly,
      waits: chance(0.3),
      devices: chance(0.3) ? whole(1, 6) : null,
    }
  }
  const bodyOf = ({ days: accountDuration, gigabytes, isMonthly, waits, devices }: model.Wanted) => ({
    accountDuration,
    ...(gigabytes !== null && { accountDataLimit: gigabytes }),
    ...(isMonthly && { accountDataReset: 'monthly' as const }),
    ...(waits && { accountStart: 'firstUse' as const }),
    ...(devices !== null && { accountMaxDevices: devices }),
  })

  const mayRenewCustom = (account: model.ModelAccount, rules: model.Rules) =>
    rules.customAccounts || model.plansFor(account, rules).length === 0

  async function create(rules: model.Rules): Promise<void> {
    const vpnType = pick(model.soldTypes)
    const tunnelType = model.tunnelOf(vpnType)
    const order = wanted()
    const body = {
      accountName: `n${whole(1, 9)}`,
      accountVPNType: vpnType,
      accountTunnelType: tunnelType,
      accountTunnelEnabled: tunnelType !== '',
      ...bodyOf(order),
    }
    const { charged, account: created } = model.creation(rules, order)
    const bill = model.bill(book, rules, vpnType, charged)
    const key = { 'idempotency-key': randomUUID() }
    if (!rules.customAccounts)
      return expect(await people.user.refusal(newAccount, body, key)).toBe('PLAN_REQUIRED')
    const reply = await places[vpnType].during(
      () => people.user.call(newAccount, body, key),
      ({ status, errorType }) => (status === 200 ? 'take' : errorType === 'NO_CAPACITY' ? 'refused' : null),
    )
    if (bill.refusal) return expectRefusal(reply, bill.refusal)
    if (reply.errorType === 'NO_CAPACITY') return
    const answer = reply.answer()
    const account: model.ModelAccount = {
      uuid: answer.accountUUID,
      vpnType,
      ...created,
      plan: null,
      isEnabled: true,
      isExpiryNoted: false,
    }
    model.pay(book, bill)
    book.accounts.set(account.uuid, account)
    expect(answer).toMatchObject(stateIn(account, rules))
    const again = async () => outcome(await people.user.call(newAccount, body, key))
    lastPurchase = { at: rules.now, uuid: account.uuid, again }
  }

  async function renew(rules: model.Rules): Promise<void> {
    const account = anAccount()
    const accountUUID = account?.uuid ?? randomUUID()
    const accountDuration = days()
    const gigabytes = account?.gigabytes && chance(0.4) ? whole(1, 30) : 0
    const added = gigabytes > 0 ? { accountDataLimit: gigabytes } : {}
    const key = { 'idempotency-key': randomUUID() }
    const renewIt = () => people.user.call(extendDuration, { accountUUID, accountDuration, ...added }, key)
    const reply = await renewIt()
    if (!account) return expect(reply.errorType).toBe('RESOURCE_NOT_FOUND')
    if (!mayRenewCustom(account, rules)) return expect(reply.errorType).toBe('PLAN_REQUIRED')
    const { charged, change } = model.renewal(account, rules, accountDuration, gigabytes)
    const bill = model.bill(book, rules, account.vpnType, charged)
    if (bill.refusal) return expectRefusal(reply, bill.refusal)
    model.pay(book, bill)
    Object.assign(account, change)
    account.isExpiryNoted = false
    expect(reply.answer()).toMatchObject(stateIn(account, rules))
    lastPurchase = { at: rules.now, uuid: accountUUID, again: async () => outcome(await renewIt()) }
  }

  /** By a plan that may have changed since it was quoted, or ended. */
  async function createByPlan(rules: model.Rules): Promise<void> {
    if (rules.plans.length === 0) return
    const plan = pick(rules.plans)
    const isOutdated = chance(0.2)
    const body = {
      ...{ accountName: `p${whole(1, 9)}`, planUUID: plan.uuid },
      ...(chance(0.7) && { quotedPlanRevision: plan.revision + (isOutdated ? 1 : 0) }),
    }
    const key = { 'idempotency-key': randomUUID() }
    const bill = model.billOf(book, rules, plan)
    const reply = await places[plan.vpnType].during(
      () => people.user.call(newByPlan, body, key),
      ({ status, errorType }) => (status === 200 ? 'take' : errorType === 'NO_CAPACITY' ? 'refused' : null),
    )
    if (!plan.isActive) return expect(reply.errorType).toBe('PLAN_NOT_SOLD')
    if (isOutdated && 'quotedPlanRevision' in body) return expect(reply.errorType).toBe('QUOTE_CHANGED')
    if (bill.refusal) return expectRefusal(reply, bill.refusal)
    if (reply.errorType === 'NO_CAPACITY') return
    const answer = reply.answer()
    const account: model.ModelAccount = {
      uuid: answer.accountUUID,
      vpnType: plan.vpnType,
      ...model.creation(rules, plan).account,
      plan: { uuid: plan.uuid, devices: plan.devices },
      isEnabled: true,
      isExpiryNoted: false,
    }
    model.pay(book, bill)
    book.accounts.set(account.uuid, account)
    expect(answer).toMatchObject(stateIn(account, rules))
    const again = async () => outcome(await people.user.call(newByPlan, body, key))
    lastPurchase = { at: rules.now, uuid: account.uuid, again }
  }

  async function renewBy(rules: model.Rules): Promise<void> {
    const account = anAccount()
    if (!account || rules.plans.length === 0) return
    const { uuid: accountUUID } = account
    const fitting = model.plansFor(account, rules)
    const plan = fitting.length > 0 && chance(0.8) ? pick(fitting) : pick(rules.plans)
    const { plans, customAllowed } = await people.user.ask(getPlans, { accountUUID })
    expect(plans.map(({ planUUID }) => planUUID).sort()).toEqual(fitting.map(({ uuid }) => uuid).sort())
    expect(customAllowed).toBe(mayRenewCustom(account, rules))
    const key = { 'idempotency-key': randomUUID() }
    const renewIt = () => people.user.call(renewByPlan, { accountUUID, planUUID: plan.uuid }, key)
    if (!plan.isActive) return expect((await renewIt()).errorType).toBe('PLAN_NOT_SOLD')
    if (!fitting.includes(plan)) return expect((await renewIt()).errorType).toBe('PLAN_MISMATCH')
    const gigabytes = plan.isMonthly ? 0 : (plan.gigabytes ?? 0)
    const { change } = model.renewal(account, { ...rules, renewal: 'extend' }, plan.days, gigabytes)
    const bill = model.billOf(book, rules, plan)
    const quote = await people.user.ask(quoteByPlan, { accountUUID, planUUID: plan.uuid })
    expect(quote).toMatchObject({
      ...{ quotePoints: plan.points, quoteTunnelCredit: plan.tunnelCredit, planRevision: plan.revision },
      accountExpireDate: new Date(change.expires).toISOString(),
      quoteRefusal: bill.refusal?.errorType ?? null,
    })
    const reply = await renewIt()
    if (bill.refusal) return expectRefusal(reply, bill.refusal)
    model.pay(book, bill)
    Object.assign(account, change, { plan: { uuid: plan.uuid, devices: plan.devices } })
    account.isExpiryNoted = false
    expect(reply.answer()).toMatchObject(stateIn(account, rules))
    lastPurchase = { at: rules.now, uuid: accountUUID, again: async () => outcome(await renewIt()) }
  }

  async function moreData(rules: model.Rules): Promise<void> {
    const account = anAccount()
    const accountUUID = account?.uuid ?? randomUUID()
    const accountDataLimit = whole(1, 30)
    const key = { 'idempotency-key': randomUUID() }
    const addIt = () => people.user.call(addData, { accountUUID, accountDataLimit }, key)
    const reply = await addIt()
    if (!account) return expect(reply.errorType).toBe('RESOURCE_NOT_FOUND')
    if (account.gigabytes === null) return expect(reply.errorType).toBe('NO_DATA_LIMIT')
    const charged = { days: 0, gigabytes: accountDataLimit, extraDevices: 0 }
    const bill = model.bill(book, rules, account.vpnType, charged)
    if (bill.refusal) return expectRefusal(reply, bill.refusal)
    model.pay(book, bill)
    account.gigabytes += accountDataLimit
    expect(reply.answer()).toMatchObject(stateIn(account, rules))
    lastPurchase = { at: rules.now, uuid: accountUUID, again: async () => outcome(await addIt()) }
  }

  async function enable(rules: model.Rules): Promise<void> {
    const account = anAccount()
    const accountEnabled = chance(0.5)
    const accountUUID = account?.uuid ?? randomUUID()
    const reply = await people.user.call(setEnabled, { accountUUID, accountEnabled })
    if (!account) return expect(reply.errorType).toBe('RESOURCE_NOT_FOUND')
    account.isEnabled = accountEnabled
    expect(reply.answer()).toMatchObject(stateIn(account, rules))
  }

  async function remove(): Promise<void> {
    const account = anAccount()
    const accountUUID = account?.uuid ?? randomUUID()
    const reply = await places[account?.vpnType ?? 'trojan'].during(
      () => people.user.call(deleteAccount, { accountUUID }),
      ({ status }) => (status === 200 ? 'give' : null),
    )
    expect(reply.errorType).toBe(account ? undefined : 'RESOURCE_NOT_FOUND')
    book.accounts.delete(accountUUID)
  }

  async function correct(): Promise<void> {
    const amount = pick([-300, -50, -7, 5, 60, 250])
    const body = { userEmail: people.user.email, amount, reason: 'the model says so' }
    const kinds = {
      points: () => people.admin.call(adjustUserCredit, body),
      tunnelCredit: () => people.admin.call(adjustUserTunnelCredit, body),
      debtCents: () => people.admin.call(adjustUserDebt, { ...body, amount: amount / 100 }),
    }
    const refusals = {
      points: 'INSUFFICIENT_CREDIT',
      tunnelCredit: 'INSUFFICIENT_TUNNEL_CREDIT',
      debtCents: 'DEBT_TOO_SMALL',
    }
    const unit = pick(['points', 'points', 'tunnelCredit', 'debtCents'] as const)
    const reply = await kinds[unit]()
    const after = book[unit] + amount
    expect(reply.errorType).toBe(after < 0 ? refusals[unit] : undefined)
    if (after >= 0) book[unit] = after
  }

  async function grant(rules: model.Rules): Promise<void> {
    const { email: userEmail } = people.user
    if (chance(0.6)) {
      book.debtLimitCents = pick([0, 0, 45, 200, 999])
      const value = book.debtLimitCents / 100
      const { userDebtLimit } = await people.admin.ask(setUserDebtLimit, { userEmail, value })
      expect(userDebtLimit).toBe(value)
    } else {
      book.customRate = pick([null, 30, 77, 300])
      const rate = { userEmail, userCustomCreditRate: book.customRate }
      const { userCreditRate } = await people.admin.ask(setUserRate, rate)
      expect(userCreditRate).toBe(model.rateOf(book, rules))
    }
  }

  /** The last purchase once more with its key: nothing happens, however often. */
  async function retry(rules: model.Rules): Promise<void> {
    if (!lastPurchase || rules.now - lastPurchase.at > day) return
    const { uuid, again } = lastPurchase
    expect(await again()).toBe(book.accounts.has(uuid) ? uuid : 'RESOURCE_NOT_FOUND')
  }

  async function quote(rules: model.Rules): Promise<void> {
    const account = anAccount()
    if (!account) return
    const accountDuration = days()
    const reply = await people.user.call(quoteAccount, {
      accountUUID: account.uuid,
      accountVPNType: account.vpnType,
      accountTunnelType: model.tunnelOf(account.vpnType),
      accountDuration,
    })
    const { charged, change } = model.renewal(account, rules, accountDuration, 0)
    const bill = model.bill(book, rules, account.vpnType, charged)
    expect(reply.answer()).toMatchObject({
      quotePoints: bill.points,
      quoteTunnelCredit: bill.tunnelCredit,
      quoteDebt: (bill.refusal ? 0 : bill.newDebtCents) / 100,
      accountExpireDate: new Date(change.expires).toISOString(),
      accountDataLimitAfter: change.gigabytes,
      quoteRefusal: mayRenewCustom(account, rules) ? (bill.refusal?.errorType ?? null) : 'PLAN_REQUIRED',
    })
  }

  const buying = [create, create, create, createByPlan, createByPlan, renew, renew, renewBy, renewBy]
  const deeds = [...buying, moreData, enable, remove, correct, grant, retry, quote]
  const trace: string[] = []
  return {
    book,
    people,
    /** Makes a random call and compares its reply with the model. */
    async act(rules: model.Rules) {
      const deed = pick(deeds)
      trace.push(deed.name)
      try {
        await deed(rules)
      } catch (error) {
        throw new Error(`the server and the model part after ${trace.join(', ')}`, { cause: error })
      }
    },
    /** Compares everything that the server says of this user. */
    async compare(rules: model.Rules) {
      const credit = await people.user.ask(getUserCredit, {})
      const debt = await people.user.ask(getUserDebt, {})
      const { items } = await people.user.ask(getUserAccounts, { sort: 'accountName' })
      const rate = model.rateOf(book, rules)
      expect({ ...credit, ...debt }).toEqual({
        userCredit: book.points,
        userCreditDollars: Math.floor((book.points * 100) / rate) / 100,
        userTunnelCredit: book.tunnelCredit,
        userCreditRate: rate,
        renewal: rules.renewal,
        userDebt: book.debtCents / 100,
        userDebtLimit: book.debtLimitCents / 100,
        userDebtLeft: Math.max(book.debtLimitCents - book.debtCents, 0) / 100,
      })
      const byUuid = (a: { accountUUID: string }, b: { accountUUID: string }) =>
        a.accountUUID < b.accountUUID ? -1 : 1
      expect([...items].sort(byUuid)).toMatchObject(
        [...book.accounts.values()].map((account) => stateIn(account, rules)).sort(byUuid),
      )
    },
  }
}
