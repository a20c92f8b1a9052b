import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { productForAllTests } from '../../test/product.ts'
import { promtool } from '../../test/real/programs.ts'
import { regularJobs } from '../jobs/regular.ts'
import { measure } from './metrics.ts'

const folder = join(import.meta.dirname, '../../../../monitoring')
const alertFile = await readFile(join(folder, 'alerts.yml'), 'utf8')
const dashboard = JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8'))
const rules: { alert: string; expr: string; annotations: Record<string, string> }[] =
  parse(alertFile).groups[0].rules
const panels: { id: number; title: string; targets?: { expr: string }[] }[] = dashboard.panels
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
]

const product = productForAllTests()

test('alert rules and dashboard ask for metrics that exist', async () => {
  const all = await measure(fastify(), product.ctx).getMetricsAsJSON()
  const names = all.flatMap(({ name, type }) =>
    String(type) === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
  )
  const asked = new Set(
    expressions.flatMap((expr) => expr.match(/\b(kelid|process|nodejs)_[a-z0-9_]+/g) ?? []),
  )
  expect(asked.size).toBeGreaterThan(10)
  expect([...asked].filter((name) => !names.includes(name))).toEqual([])
})

test('every metric of our own raises an alarm or is on the dashboard', async () => {
  const all = await measure(fastify(), product.ctx).getMetricsAsJSON()
  const own = all.map(({ name }) => name).filter((name) => name.startsWith('kelid_'))
  expect(own.filter((name) => !expressions.some((expr) => expr.includes(name)))).toEqual([])
})

test('every regular job is late when the product says so', () => {
  const late = rules.find(({ alert }) => alert === 'KelidJobLate')?.expr ?? ''
  const limits = [...late.matchAll(/job=~"([^"]+)"} > (\d+)/g)].flatMap(([, jobs = '', seconds]) =>
    jobs.split('|').map((job) => [job, Number(seconds) * 1000] as const),
  )
  const expected = regularJobs.map(({ name, lateAfter }) => [name, lateAfter] as const)
  expect(Object.fromEntries(limits)).toEqual(Object.fromEntries(expected))
})

test('panels have numbers and titles of their own', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
})

describe.skipIf(!existsSync(promtool))('rules as Prometheus reads them', () => {
  const check = (...args: string[]) => execFileSync(promtool, args, { cwd: folder, encoding: 'utf8' })
  test('they are valid', () => {
    expect(check('check', 'rules', 'alerts.yml')).toContain(`${rules.length} rules found`)
  })
  test('they raise an alarm when they should, and only then', () => {
    expect(check('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
  })
})
