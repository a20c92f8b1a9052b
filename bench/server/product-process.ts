import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type Call, type Envelope, signIn } from '@kelid/contract'
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

/** Returns the answer of a call; throws on a refusal. */
export async function ask(
  { url }: { url: string },
  { path }: Call,
  token: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<unknown[]> {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify({ client: 'bench', clientVersion: '1', ...body }),
  })
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return [...((await reply.json()) as Envelope).response.detailedResponse]
}

export interface TimedStart {
  readonly product: MeasuredProcess
  readonly seconds: number
}

/** Measures from spawning the process until it is ready and a sign-in has succeeded. */
export async function timedStart(dataDir: string): Promise<TimedStart> {
  const from = performance.now()
  const product = await startProduct(dataDir)
  const { status } = await fetch(`${product.url}/readyz`)
  if (status !== 200) throw new Error(`readyz answered ${status}`)
  await ask(product, signIn, 'none', admin)
  return { product, seconds: (performance.now() - from) / 1000 }
}
