export async function until(
  condition: () => unknown,
  what = String(condition),
  timeout = 240_000,
): Promise<void> {
  const deadline = Date.now() + timeout
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not within ${timeout} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
