import { setTimeout as sleep } from 'node:timers/promises'
import { renewCertificate } from '@kelid/contract'
import { openChannel } from './channel.ts'
import type { Config } from './config.ts'
import { isDue, keepRenewed } from './credentials.ts'
import { reasonOf } from './retry.ts'

/** The control plane issues at most one per hour. */
const every = 3_700_000

/** Renews the certificate in time; channels opened afterwards use it. */
export async function keepRenewing(
  config: Config,
  version: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await renewIfDue(config, version, say, signal)
    } catch (error) {
      if (!signal.aborted) say(`no new certificate from ${config.url}: ${reasonOf(error)}`)
    }
    await sleep(every, undefined, { signal }).catch(() => {})
  }
}

async function renewIfDue(config: Config, version: string, say: (line: string) => void, signal: AbortSignal) {
  const channel = await openChannel(config, version)
  try {
    if (!isDue(channel.credentials, Date.now())) return
    await keepRenewed(config, await channel.ask(renewCertificate, {}, signal))
    say('renewed the certificate')
  } finally {
    channel.close()
  }
}
