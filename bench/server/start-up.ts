import type { Figure } from './figures.ts'
import type { MeasuredProcess } from './measured-process.ts'
import { databaseOf } from './postgres-processes.ts'
import { median } from './statistics.ts'

const megabytes = (bytes: number) => bytes / 1024 / 1024

export const startFigure = (name: string, seconds: readonly number[], atMost: number): Figure => ({
  name,
  value: median(seconds),
  unit: 's',
  atMost,
  detail: `each: ${seconds.map((one) => one.toFixed(2)).join(', ')} s`,
})

export async function memoryFigures(name: string, product: MeasuredProcess): Promise<Figure[]> {
  const [{ residentBytes }, postgres] = await Promise.all([product.cost(), databaseOf(product.pid)])
  const node: Figure = {
    name: `${name}: memory of the server process`,
    value: megabytes(residentBytes),
    unit: 'MB',
    detail: 'resident',
  }
  if (!postgres) return [node]
  return [
    node,
    {
      name: `${name}: memory of PostgreSQL`,
      value: megabytes(postgres.residentBytes),
      unit: 'MB',
      detail: `resident, summed over its processes; ${megabytes(postgres.proportionalBytes).toFixed(0)} MB with shared pages counted once`,
    },
  ]
}
