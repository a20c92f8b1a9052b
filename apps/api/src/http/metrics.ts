import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../context.ts'
import { healthOfAll } from '../features/health/health.ts'
import { failingHosts } from '../features/hosts/retries.ts'
import { hostAlerts, hostTroubles, refusingHosts, strangeAuthorities } from '../features/nodes/nodes.ts'
import { readMarks } from '../jobs/marks.store.ts'

/** Labels are routes, methods, codes and hosts only, never user input. */
export function measure(app: FastifyInstance, ctx: Context): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  timeRequests(app, registry)
  new Gauge({
    name: 'kelid_database_connections',
    help: 'Connections of this process, by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'total' }, ctx.pool.totalCount)
      this.set({ state: 'idle' }, ctx.pool.idleCount)
      this.set({ state: 'waiting' }, ctx.pool.waitingCount)
    },
  })
  jobGauges(registry, ctx)
  hostGauge(registry, ctx)
  runsGauge(registry, ctx)
  listGauge(registry, ctx)
  alertGauge(registry, ctx)
  troubleGauge(registry, ctx)
  foreignHostsGauge(registry, ctx)
  return registry
}

const answers = 'kelid_http_request_duration_seconds'

export function timeRequests(app: FastifyInstance, registry: Registry): void {
  const requests =
    (registry.getSingleMetric(answers) as Histogram<'route' | 'code'> | undefined) ??
    new Histogram({
      name: answers,
      help: 'Time to answer, by route and code',
      labelNames: ['route', 'code'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    })
  app.addHook('onResponse', (request, reply, done) => {
    requests.observe(
      { route: request.routeOptions.url ?? 'none', code: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    done()
  })
}

function jobGauges(registry: Registry, ctx: Context): void {
  const outcome = new Gauge({
    name: 'kelid_job_outcome',
    help: 'Figures of the last success of each regular job; ledger findings above 0 are an alarm',
    labelNames: ['job', 'figure'],
    registers: [registry],
  })
  new Gauge({
    name: 'kelid_job_last_success_timestamp_seconds',
    help: 'When each regular job last succeeded',
    labelNames: ['job'],
    registers: [registry],
    async collect() {
      const marks = await readMarks(ctx.db).catch(() => new Map<string, never>())
      for (const [job, mark] of marks) {
        this.set({ job }, mark.succeededAt.getTime() / 1000)
        for (const [figure, value] of Object.entries(mark.outcome))
          if (typeof value === 'number') outcome.set({ job, figure }, value)
      }
    },
  })
}

function hostGauge(registry: Registry, ctx: Context): void {
  new Gauge({
    name: 'kelid_host_up',
    help: 'Servers and tunnels in service: 1 is up, 0 is down; one that nobody has heard or reached so far is not here',
    labelNames: ['kind', 'uuid', 'name'],
    registers: [registry],
    async collect() {
      const hosts = await healthOfAll(ctx.db, ctx.clock.now()).catch(() => [])
      this.reset()
      for (const { kind, uuid, name, health } of hosts)
        if (health !== 'unknown') this.set({ kind, uuid, name }, health === 'up' ? 1 : 0)
    },
  })
}

function runsGauge(registry: Registry, ctx: Context): void {
  new Gauge({
    name: 'kelid_host_failed_runs',
    help: 'Failed runs in a row on hosts in service, which are repeated; a host whose last run succeeded is not here',
    labelNames: ['kind', 'uuid', 'name'],
    registers: [registry],
    async collect() {
      const hosts = await failingHosts(ctx.db).catch(() => [])
      this.reset()
      for (const { kind, uuid, name, failures } of hosts) this.set({ kind, uuid, name }, failures)
    },
  })
}

function listGauge(registry: Registry, ctx: Context): void {
  new Gauge({
    name: 'kelid_host_list_refused',
    help: 'Hosts that keep their old list of accounts, since the new one is older or much smaller; any line is an alarm',
    labelNames: ['kind', 'uuid', 'name', 'reason'],
    registers: [registry],
    async collect() {
      const hosts = await refusingHosts(ctx.db).catch(() => [])
      this.reset()
      for (const { kind, uuid, name, refused } of hosts) this.set({ kind, uuid, name, reason: refused }, 1)
    },
  })
}

function alertGauge(registry: Registry, ctx: Context): void {
  new Gauge({
    name: 'kelid_host_alert',
    help: 'Hosts with doubtful reports within a day, and how much of the last one was not taken; the host may be compromised, or for abuse and devices its customers may share accounts',
    labelNames: ['kind', 'uuid', 'name', 'alert'],
    registers: [registry],
    async collect() {
      const alerts = await hostAlerts(ctx.db, ctx.clock.now()).catch(() => [])
      this.reset()
      for (const { subject: kind, uuid, name, alert, count } of alerts)
        this.set({ kind, uuid, name, alert }, count)
    },
  })
}

function troubleGauge(registry: Registry, ctx: Context): void {
  new Gauge({
    name: 'kelid_host_trouble',
    help: 'What agents find wrong with their hosts: 1 is present, 0 was repaired within the last minutes',
    labelNames: ['kind', 'uuid', 'name', 'trouble'],
    registers: [registry],
    async collect() {
      const troubles = await hostTroubles(ctx.db).catch(() => [])
      this.reset()
      for (const { subject: kind, uuid, name, trouble, repaired } of troubles)
        this.set({ kind, uuid, name, trouble }, repaired ? 0 : 1)
    },
  })
}

function foreignHostsGauge(registry: Registry, ctx: Context): void {
  new Gauge({
    name: 'kelid_hosts_of_another_authority',
    help: 'Hosts of another CA that connected within the last hour, as when the database is new; any is an alarm',
    registers: [registry],
    async collect() {
      const authorities = await strangeAuthorities(ctx.db, ctx.clock.now()).catch(() => [])
      this.set(authorities.reduce((sum, { hosts }) => sum + hosts, 0))
    },
  })
}

/** A separate port, so that the public listener never exposes metrics. */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, host, listening))
  return server
}
