import { expect } from 'vitest'

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

type Kind = 'known' | 'unknown'

/** Fails if visits of both kinds differ in every attempt. They alternate, so that both meet the same load. */
export async function expectSameTime(
  name: string,
  { pairs, attempts, tolerance }: { pairs: number; attempts: number; tolerance: number },
  visit: (kind: Kind) => Promise<number>,
): Promise<void> {
  const findings: string[] = []
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const times: Record<Kind, number[]> = { known: [], unknown: [] }
    for (let pair = 0; pair < pairs; pair += 1) {
      const order: Kind[] = pair % 2 === 0 ? ['known', 'unknown'] : ['unknown', 'known']
      for (const kind of order) times[kind].push(await visit(kind))
    }
    const [known, unknown] = [median(times.known), median(times.unknown)]
    const figure = `known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms, ${pairs} each`
    console.log(`${name}: ${figure}`)
    if (Math.abs(known - unknown) <= Math.max(1, tolerance * Math.min(known, unknown))) return
    findings.push(figure)
  }
  expect(findings).toEqual([])
}
