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
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  newAccount,
  quoteAccount,
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
  })
  const outcome = (reply: Reply<typeof newAccount | typeof extendDuration | typeof addData>) =>
    reply.errorType ?? reply.answer().accountUUID
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
    const { charged, change } = model.renewal(account, rules, accountDuration, gigabytes)
    const bill = model.bill(book, rules, account.vpnType, charged)
    if (bill.refusal) return expectRefusal(reply, bill.refusal)
    model.pay(book, bill)
    Object.assign(account, change)
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
      quoteRefusal: bill.refusal?.errorType ?? null,
    })
  }

  const deeds = [create, create, create, renew, renew, moreData, enable, remove, correct, grant, retry, quote]
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
