import type { CDPSession } from '@playwright/test'

/**
 * A cheap phone on slow 4G, with the numbers that Lighthouse gives to a browser that applies them: a delay for each request
 * that stands for all the round trips behind it. Not simulated afterwards: the simulation hid losses.
 */
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
