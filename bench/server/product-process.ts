import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { signIn } from '@kelid/contract'
import { type MeasuredProcess, startMeasured } from './measured-process.ts'

export const program = join(import.meta.dirname, '../../apps/api/run.mjs')

export const secretKey = randomBytes(32)
const admin = { email: 'first@kelid.lan', password: `Aa1-${randomBytes(9).toString('base64url')}` }

/** The product on its embedded database, as an operator starts it. */
export const startProduct = (dataDir: string, env: Record<string, string> = {}): Promise<MeasuredProcess> =>
  startMeasured(
    [program, 'main'],
    {
      PORT: '0',
      KELID_METRICS_PORT: '0',
      KELID_AGENT_PORT: '0',
      KELID_DATA_DIR: dataDir,
      KELID_SECRET_KEY: secretKey.toString('hex'),
      KELID_ADMIN_EMAIL: admin.email,
      KELID_ADMIN_PASSWORD: admin.password,
      ...env,
    },
    `${dataDir}.log`,
  )

export interface TimedStart {
  readonly product: MeasuredProcess
  readonly seconds: number
}

/** From spawning the process until it says that it is ready and has let somebody in. */
export async function timedStart(dataDir: string): Promise<TimedStart> {
  const from = performance.now()
  const product = await startProduct(dataDir)
  const ready = await fetch(`${product.url}/readyz`)
  const signedIn = await fetch(product.url + signIn.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client: 'bench', clientVersion: '1', ...admin }),
  })
  if (ready.status !== 200 || signedIn.status !== 200)
    throw new Error(`readyz answered ${ready.status}, signing in ${signedIn.status}`)
  return { product, seconds: (performance.now() - from) / 1000 }
}
