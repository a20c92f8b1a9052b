const longestWaitMs = 100

/** Once the next frame is on the screen: what a press shows comes before what it starts. Unseen pages paint nothing and go on soon. */
export function afterPaint(go: () => void): () => void {
  let next: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    clearTimeout(next)
    next = setTimeout(go)
  })
  next = setTimeout(() => {
    cancelAnimationFrame(frame)
    go()
  }, longestWaitMs)
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(next)
  }
}
