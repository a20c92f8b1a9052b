const atOnce = 32

export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}

export async function tryAll<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<Error | null> {
  let reason: Error | null = null
  await inParallel(items, (item) =>
    work(item).catch((error: Error) => {
      reason ??= error
    }),
  )
  return reason
}
