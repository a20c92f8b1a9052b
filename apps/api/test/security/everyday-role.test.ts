import { calls, compensate, getCompensations, provisionServer, sendOtp, setUserPhone } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { giveCompensation } from '../../src/features/compensations/compensate.job.ts'
import { provision } from '../../src/features/provisioning/provision.job.ts'
import { openRuns } from '../../src/features/provisioning/provisioning.store.ts'
import { regularJobs } from '../../src/jobs/regular.ts'
import { runRegular, startWorker } from '../../src/jobs/worker.ts'
import { createSplitDatabase, query } from '../database.ts'
import { openForAllTests } from '../hooks.ts'
import { productForAllTests } from '../product.ts'
import { openOtherServer, sampleCall, somebody } from './callers.ts'
import { outcomeOf } from './samples.ts'
import { openFakeGateway } from './sms-gateway.ts'
import { sendWaiting } from './sms-queue.ts'
import { readEnvelope } from './wire.ts'

const database = openForAllTests(createSplitDatabase)
const gateway = openForAllTests(openFakeGateway)
const product = productForAllTests(() => ({ database, env: { KELID_SMS_URL: gateway.url } }))
/** Another one with a worker, which waits for the clock while the tests run. */
const otherDatabase = openForAllTests(createSplitDatabase)
const scheduled = productForAllTests(() => ({ database: otherDatabase }))
beforeAll(async () => {
  await startWorker(scheduled.ctx)
  await product.server({ serverMaxAccounts: 1_000 })
  await openOtherServer(product)
})

test('the everyday role is enough for every call', async () => {
  for (const call of calls) {
    const { send } = await sampleCall(product, call, await somebody(product, 6))
    const reply = await send()
    const outcome = readEnvelope(reply).error?.errorType ?? 'OK'
    expect(['OK', 'WRONG_CODE', outcomeOf(call)], `${call.path} ${reply.text}`).toContain(outcome)
  }
})

test('the everyday role is enough for every job', async () => {
  for (const job of regularJobs) await runRegular(product.ctx, job)
  const serverUUID = await product.server()
  await product.admin.ask(provisionServer, { serverUUID })
  for (const run of await openRuns(product.ctx.db)) await provision(product.ctx, run)
  const runs = product.ctx.db
    .selectFrom('provision_runs')
    .select('state')
    .where('subject_uuid', '=', serverUUID)
  expect((await runs.execute()).map(({ state }) => state)).toContain('failed')
  const gift = { serverUUID, days: 1, accounts: 0, reason: 'down for a night' }
  const { compensationUUID } = await product.admin.ask(compensate, gift)
  await giveCompensation(product.ctx, compensationUUID)
  const { items } = await product.admin.ask(getCompensations, { serverUUID })
  expect(items).toMatchObject([{ compensationState: 'finished' }])
  const { email: userEmail } = await product.person()
  await product.admin.ask(setUserPhone, { userEmail, userPhone: '09121112233' })
  ;(await product.call(sendOtp, { mobile: '09121112233' })).answer()
  await sendWaiting(product)
  expect(gateway.sent).toHaveLength(1)
})

test('the clock starts regular jobs', async () => {
  const finished = `SELECT FROM pgboss.job WHERE name = 'expiry' AND state = 'completed'`
  const countRuns = async () => (await scheduled.sql(finished)).length
  // The worker runs each job once when it starts; cron starts the second run within a minute.
  await expect.poll(countRuns, { timeout: 150_000, interval: 500 }).toBeGreaterThan(1)
  await scheduled.ctx.jobs.stop(5_000)
})

test.each([
  ['SET session_replication_role = replica', /permission denied to set parameter/],
  ['ALTER TABLE audit DISABLE TRIGGER audit_stays', /must be owner of table audit/],
  ['ALTER TABLE ledger_entries DISABLE TRIGGER ALL', /must be owner/],
  ['DROP TRIGGER ledger_balances ON ledger_entries', /must be owner/],
  [
    'CREATE OR REPLACE FUNCTION forbid_change() RETURNS trigger LANGUAGE sql AS $$$$',
    /permission denied|must be owner/,
  ],
  [`UPDATE audit SET actor = 'x'`, /permission denied/],
  ['DELETE FROM ledger_entries', /permission denied/],
  ['UPDATE ledger_transactions SET user_id = user_id', /permission denied/],
  ['TRUNCATE audit', /permission denied/],
  ['DROP TABLE audit', /must be owner/],
  ['DELETE FROM schema_migrations', /permission denied/],
  ['CREATE TABLE mine (id int)', /permission denied for schema public/],
  ['CREATE SCHEMA mine', /permission denied for database/],
  ['CREATE TABLE pgboss.mine (id int)', /permission denied for schema pgboss/],
  ['ALTER TABLE pgboss.job DISABLE TRIGGER ALL', /must be owner/],
  ['DROP SCHEMA pgboss CASCADE', /must be owner/],
  ['CREATE ROLE other SUPERUSER', /permission denied|must be superuser/],
  [`COPY users TO PROGRAM 'cat'`, /permission denied|must be superuser/],
])('the everyday role cannot: %s', async (statement, says) => {
  await expect(query(database.connection, statement)).rejects.toThrow(says)
})
