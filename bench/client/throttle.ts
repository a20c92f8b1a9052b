import type { CDPSession } from '@playwright/test'

/** A cheap phone on slow 4G, applied by the browser and not simulated afterwards: the simulation hid losses. */
const cpuSlowdown = 4
const slow4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}

export const slowCpu = (cdp: CDPSession): Promise<unknown> =>
  cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })

export async function throttle(cdp: CDPSession): Promise<void> {
  await cdp.send('Network.emulateNetworkConditions', slow4G)
  await slowCpu(cdp)
}
