import { day, type HostAlert } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { record } from '../audit/audit.ts'
import { announceHost, type HeardHost } from '../hosts/kinds.ts'
import * as store from './alerts.store.ts'

/** A misbehaving host must not fill the audit log. */
const auditEvery = 60 * 60_000
const shownFor = day

const actions = {
  abuse: 'abuseheldback',
  boots: 'bootsdropped',
  devices: 'devicesdropped',
  foreign: 'foreignreport',
} as const satisfies Record<HostAlert, string>

export interface Alert {
  readonly alert: HostAlert
  readonly count: number
  readonly account?: string
  readonly server?: string
  readonly tunnel?: string
}

/** Returns the audit entries; the caller writes them after taking all other locks. */
export async function raiseAlerts(ctx: Context, tx: Db, host: HeardHost, alerts: readonly Alert[]) {
  const now = ctx.clock.now()
  const due: Alert[] = []
  for (const reported of alerts) {
    const { alert, count } = reported
    ctx.log.warn({ node: host.uuid, alert, count }, 'a node report was refused in part')
    const row = { host_uuid: host.uuid, alert, count, at: now }
    const { isNew, isDue } = await store.noteAlert(tx, row, ago(now, auditEvery), ago(now, shownFor))
    if (isNew) await announceHost(ctx, tx, host, host.state)
    if (isDue) due.push(reported)
  }
  return async () => {
    for (const { alert, ...detail } of due)
      await record(ctx, tx, { email: 'nodes', address: '' }, actions[alert], host.uuid, {
        ...detail,
        kind: host.kind,
      })
  }
}

const ago = (now: Date, ms: number) => new Date(now.getTime() - ms)

const toAlert = ({ kind, since, at, ...rest }: store.AlertedHost) => ({
  ...rest,
  subject: kind,
  sinceDate: since.toISOString(),
  lastDate: at.toISOString(),
})

export const hostAlerts = async (db: Db, now: Date) =>
  (await store.listAlerts(db, ago(now, shownFor))).map(toAlert)

export const alertsOf = async (db: Db, now: Date, uuid: string) =>
  (await hostAlerts(db, now)).filter((alert) => alert.uuid === uuid)

export const purgeAlerts = ({ db, clock }: Context): Promise<void> =>
  store.forgetAlerts(db, ago(clock.now(), shownFor))
