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
  const figure = (what: string, bytes: number, detail: string): Figure => ({
    name: `${name}: memory of ${what}`,
    value: megabytes(bytes),
    unit: 'MB',
    detail,
  })
  const server = figure('the server process', residentBytes, 'resident')
  if (!postgres) return [server]
  const shared = megabytes(postgres.proportionalBytes).toFixed(0)
  const detail = `resident, summed over its processes; ${shared} MB with shared pages counted once`
  return [server, figure('PostgreSQL', postgres.residentBytes, detail)]
}
