export async function until(
  condition: () => unknown,
  what = String(condition),
  timeout = 240_000,
): Promise<void> {
  const deadline = Date.now() + timeout
  for (;;) {
    const asked = performance.now()
    if (await condition()) return
    if (Date.now() > deadline) throw new Error(`Not within ${timeout} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(performance.now() - asked)))
  }
}

/** A condition that takes long to ask is asked less often, which leaves the processor to what the test waits for. */
const pauseAfter = (took: number): number => Math.min(Math.max(20, 8 * took), 200)
