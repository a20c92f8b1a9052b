import { setTimeout as sleep } from 'node:timers/promises'
import { hello } from '@kelid/contract'
import { type Channel, openChannel } from './channel.ts'
import type { Config } from './config.ts'
import { coreVersionOf } from './core-version.ts'
import { createForeignNotice } from './foreign-control-plane.ts'
import { pauseAfter, reasonOf } from './retry.ts'
import { readServerCertificate } from './shown-certificate.ts'

const every = 15_000
const pauses = { first: 1_000, last: 60_000 }

/** Logs every failure, and only the first success after it. */
export async function greet(
  config: Config,
  version: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const coreVersion = coreVersionOf(config.core)
  const notifyForeign = createForeignNotice(config)
  let channel: Channel | null = null
  let failures = 0
  let isNews = true
  while (!signal.aborted) {
    try {
      channel ??= await openChannel(config, version, failures)
      const certificate = await readServerCertificate(config.chain)
      const state = { coreVersion: await coreVersion(), ...(certificate && { certificate }) }
      const now = new Date().toISOString()
      const { epoch } = await channel.ask(hello, { ...state, now }, signal)
      if (isNews) say(`${config.url} answers (epoch ${epoch})`)
      failures = 0
      isNews = false
    } catch (error) {
      if (signal.aborted) break
      say(`no answer from ${config.url}: ${reasonOf(error)}`)
      if (channel && (await notifyForeign(error, channel.credentials, signal)))
        say(`another CA than our own answers at ${config.url}: its administrators are notified`)
      channel?.close()
      channel = null
      failures += 1
      isNews = true
    }
    const pause = failures > 0 ? pauseAfter(failures, pauses) : every
    await sleep(pause, undefined, { signal }).catch(() => {})
  }
  channel?.close()
}
