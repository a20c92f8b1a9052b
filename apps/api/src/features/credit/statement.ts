import { type Language, limits, Refusal, type Unit } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { toCsv } from '../../lib/csv.ts'
import { fromCursor, toCursor } from '../../lib/cursor.ts'
import { dollars } from '../../lib/money.ts'
import { planNameIn } from '../../lib/plan-name.ts'
import { findUserByEmail } from '../users/users.ts'
import { countStatement, readStatement, type StatementRow } from './ledger.store.ts'
import { boughtBy } from './purchase-reason.ts'

interface Page {
  limit?: number | undefined
  cursor?: string | undefined
}

const unitOf: Record<StatementRow['unit'], Unit> = {
  points: 'points',
  tunnelCredit: 'tunnelCredit',
  cents: 'dollars',
}

const isPurchase = ({ movement }: StatementRow) => movement !== 'debt' && movement !== 'adjustment'

function toEntry(row: StatementRow, lng: Language) {
  const bought = isPurchase(row) ? boughtBy(row.reason) : null
  const inUnit = row.unit === 'cents' ? dollars : (amount: number) => amount
  return {
    entryId: String(row.id),
    entryDate: row.at.toISOString(),
    entryMovement: row.movement,
    entryUnit: unitOf[row.unit],
    entryAmount: inUnit(row.amount),
    entryBalance: inUnit(row.balance),
    entryReason: row.reason,
    entryDays: bought?.days ?? null,
    entryVPNType: bought?.vpnType ?? null,
    entryWays: bought?.chosenWays ?? null,
    entryGigabytes: bought?.gigabytes ?? null,
    entryDevices: bought?.extraDevices ?? null,
    entryPlan: row.plan_names && planNameIn(row.plan_names, lng),
    entryBy: row.actor,
    accountUUID: row.account_uuid,
    accountName: row.account_name,
    userEmail: row.email,
    entryByEmail: row.actor_email,
  }
}

/** The contract decides which fields a user and an administrator get. */
export async function statementPage(
  ctx: Context,
  userId: number | undefined,
  { limit = 50, cursor }: Page,
  lng: Language,
) {
  const before = cursor === undefined ? undefined : fromCursor(cursor, ['number'])[0]
  const rows = await readStatement(ctx.db, { userId, before, limit: limit + 1 })
  const visibleRows = rows.slice(0, limit)
  const last = rows.length > limit ? visibleRows.at(-1) : undefined
  return {
    items: visibleRows.map((row) => toEntry(row, lng)),
    total: cursor || last ? await countStatement(ctx.db, userId) : visibleRows.length,
    nextCursor: last ? toCursor(last.id) : null,
  }
}

export async function userIdOf(db: Db, email: string | undefined): Promise<number | undefined> {
  if (email === undefined) return undefined
  const user = await findUserByEmail(db, email)
  if (!user) throw new Refusal('RESOURCE_NOT_FOUND')
  return user.id
}

const ownColumns = [
  'entryDate',
  'entryMovement',
  'entryUnit',
  'entryAmount',
  'entryBalance',
  'entryReason',
  'entryBy',
  'accountName',
  'accountUUID',
  'entryPlan',
] as const
const adminColumns = ['userEmail', ...ownColumns, 'entryByEmail'] as const

export async function statementFile(
  ctx: Context,
  userId: number | undefined,
  isForAdmin: boolean,
  lng: Language,
) {
  const rows = await readStatement(ctx.db, { userId, limit: limits.statementCsvRows + 1 })
  const columns = isForAdmin ? adminColumns : ownColumns
  const entries = rows.slice(0, limits.statementCsvRows).map((row) => toEntry(row, lng))
  return {
    fileName: `statement-${ctx.clock.now().toISOString().slice(0, 10)}.csv`,
    csv: toCsv([columns, ...entries.map((entry) => columns.map((column) => entry[column] ?? ''))]),
    isComplete: rows.length <= limits.statementCsvRows,
  }
}
