import {
  type Call,
  getAccount,
  getStatement,
  getUser,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
} from '@kelid/contract'
import { type Body, fieldsOf } from '../calls/api.ts'
import { paths } from '../lib/paths.ts'
import { accountsAtOnce, everyAccount, filterBody } from '../reseller/accounts/list/account-filter.ts'
import { latest } from '../reseller/credit/statement/latest-movements.tsx'
import { entriesAtOnce } from '../reseller/credit/statement/statement.tsx'

/** The placeholders are filled by first-calls.js. */
const firstCall = <C extends Call>({ path }: C, body: Body<C>) => ({ path, fields: fieldsOf(body, '{lng}') })
const balances = [firstCall(getUserCredit, {}), firstCall(getUserDebt, {})]

/** The page sends these calls while its scripts load. */
export const firstCallsOf: Readonly<Record<string, readonly ReturnType<typeof firstCall>[]>> = {
  [paths.dashboard]: [...balances, firstCall(getStatement, latest)],
  [paths.accounts]: [
    firstCall(getUserAccounts, { ...filterBody(everyAccount), limit: accountsAtOnce }),
    ...balances,
  ],
  [paths.account]: [firstCall(getAccount, { accountUUID: '{last}' })],
  [`${paths.admin}*`]: [firstCall(getUser, {})],
  [paths.statement]: [firstCall(getStatement, { limit: entriesAtOnce })],
}
