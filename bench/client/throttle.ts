import type { CDPSession } from '@playwright/test'

/** A cheap phone on slow 4G, with Lighthouse's numbers for a browser that applies them. Its simulation hid losses. */
const cpuSlowdown = 4
const slow4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 1_474_560 / 8,
  uploadThroughput: 675_000 / 8,
}

export const slowCpu = (cdp: CDPSession): Promise<unknown> =>
  cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })

export async function throttle(cdp: CDPSession): Promise<void> {
  await cdp.send('Network.emulateNetworkConditions', slow4G)
  await slowCpu(cdp)
}
