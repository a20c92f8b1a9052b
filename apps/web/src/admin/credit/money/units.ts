import {
  adjustUserCredit,
  adjustUserDebt,
  adjustUserTunnelCredit,
  getUserDetail,
  getUserStatement,
  getUsers,
  type Unit,
  type User,
} from '@kelid/contract'

type Adjustment = typeof adjustUserCredit | typeof adjustUserTunnelCredit | typeof adjustUserDebt

interface Money {
  /** Gives or takes some of it. */
  readonly adjust: Adjustment
  readonly balanceOf: (user: User) => number
}

/** What the three kinds of money differ in. Debt is kept in dollars, and is what is owed to the house. */
export const moneyOf: Record<Unit, Money> = {
  points: { adjust: adjustUserCredit, balanceOf: ({ userCredit }) => userCredit },
  tunnelCredit: { adjust: adjustUserTunnelCredit, balanceOf: ({ userTunnelCredit }) => userTunnelCredit },
  dollars: { adjust: adjustUserDebt, balanceOf: ({ userDebt }) => userDebt },
}

/** Whatever shows a user's money. */
export const showingMoney = [getUsers, getUserDetail, getUserStatement]

/** Dollars are counted in cents, where sums are exact. */
export const sumOf = (balance: number, amount: number): number =>
  (Math.round(balance * 100) + Math.round(amount * 100)) / 100
