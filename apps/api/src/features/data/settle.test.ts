import { expect, test } from 'vitest'
import { random } from '../../../test/faults/random.ts'
import { scale, seedOf } from '../../../test/scale.ts'
import { simulate } from './simulation.fixture.ts'

const MB = 2 ** 20
/** 100 Mbit/s, in bytes per millisecond. */
const fast = 12_500

test('with accidents of every kind an account passes its limit by no more than the bound, and can use all of it', () => {
  const seed = seedOf('leases of data')
  const dice = random(seed)
  const { whole, pick, chance } = dice
  const worst = { past: 0, early: 0 }
  for (let run = 0; run < scale(150, 5_000); run += 1) {
    const ways = whole(1, 5)
    const bytes = pick([300 * MB, 1_024 * MB, 5_120 * MB, 20_480 * MB])
    const { nodes, figures, accidents, bound, ...world } = simulate(dice, bytes, ways)
    const any = (share: number) =>
      new Map(nodes.filter(() => chance(share)).map((node) => [node, whole(1, fast)]))
    let demand = any(0.5)
    const steps = whole(250, 3_000)
    for (let step = 0; step < steps && !world.isExhausted(); step += 1) {
      if (chance(0.02)) demand = any(0.5)
      if (chance(0.02)) pick(Object.values(accidents))(pick(nodes))
      world.step(demand)
    }
    world.mend()
    const rest = new Map([...any(0.3), [pick(nodes), fast]])
    for (let idle = 0; !world.isExhausted() && idle < 400_000; ) {
      const { through } = figures
      world.step(rest)
      idle = figures.through === through ? idle + 200 : 0
    }
    const counted = figures.through - figures.lost
    const past = counted - figures.unwatched - bytes
    const early = bytes - counted
    worst.past = Math.max(worst.past, past / bound)
    worst.early = Math.max(worst.early, early / bound)
    const context = `seed ${seed}, run ${run}: ${ways} ways, ${bytes / MB} MB`
    expect(past, `${context}: past the limit`).toBeLessThanOrEqual(bound)
    expect(early, `${context}: cut early`).toBeLessThanOrEqual(bound)
  }
  const percent = (share: number) => `${Math.round(share * 100)}%`
  console.log(`of the bound: ${percent(worst.past)} past the limit, ${percent(worst.early)} too early`)
})

test('a customer who changes ways is let in at once while there is more than the bound, and the limit is exact', () => {
  const seed = seedOf('changing ways')
  const dice = random(seed)
  const { whole, pick } = dice
  const worst = { closed: 0, reports: 0 }
  for (let run = 0; run < scale(60, 1_000); run += 1) {
    const ways = whole(2, 5)
    const bytes = pick([1_024 * MB, 10_240 * MB])
    const { nodes, figures, bound, ...world } = simulate(dice, bytes, ways)
    for (let step = 0; step < 20; step += 1) world.step(new Map())
    while (!world.isExhausted()) {
      const demand = new Map([[pick(nodes), fast]])
      for (let steps = whole(5, 600); steps > 0 && !world.isExhausted(); steps -= 1) {
        world.step(demand)
        if (bytes - figures.through > bound) worst.closed = Math.max(worst.closed, figures.closedFor)
      }
    }
    worst.reports = Math.max(worst.reports, figures.reports / (figures.through / MB))
    expect(figures.through - bytes, `seed ${seed}, run ${run}`).toBeLessThan(12 * MB)
  }
  console.log(`closed for ${worst.closed} ms, ${worst.reports.toFixed(3)} reports for each MB`)
  expect(worst.closed).toBeLessThanOrEqual(2_000)
})
