export interface StreamEvent {
  readonly id: string | undefined
  readonly data: string
}

/** An event may span several chunks, and a chunk may contain several events. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = toEvent(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function toEvent(block: string): StreamEvent | null {
  const lines = block.split('\n').map((line) => /^(id|data): ?(.*)$/.exec(line))
  const data = lines.flatMap((line) => (line?.[1] === 'data' ? [line[2] ?? ''] : []))
  if (data.length === 0) return null
  return { id: lines.find((line) => line?.[1] === 'id')?.[2], data: data.join('\n') }
}
