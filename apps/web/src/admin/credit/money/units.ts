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
  readonly adjust: Adjustment
  readonly balanceOf: (user: User) => number
}

export const moneyOf: Record<Unit, Money> = {
  points: { adjust: adjustUserCredit, balanceOf: ({ userCredit }) => userCredit },
  tunnelCredit: { adjust: adjustUserTunnelCredit, balanceOf: ({ userTunnelCredit }) => userTunnelCredit },
  dollars: { adjust: adjustUserDebt, balanceOf: ({ userDebt }) => userDebt },
}

export const moneyReads = [getUsers, getUserDetail, getUserStatement]

/** Sums in cents are exact. */
export const sumOf = (balance: number, amount: number): number =>
  (Math.round(balance * 100) + Math.round(amount * 100)) / 100
