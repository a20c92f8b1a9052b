/** The browser lays out a piece within a frame and skips pieces out of sight. */
const pieceLines = 200
const pieceCharacters = 16_384

/**
 * Appends lines as text, batched per frame. Written lines are never touched again, so the cost per line is constant.
 */
export function createLogPaper(root: HTMLElement, onWritten: () => void) {
  let waiting = ''
  let written = ''
  let hasLines = false
  let frame: number | undefined
  let piece: Text | undefined
  let linesInPiece = 0

  function newPiece(): Text {
    const block = document.createElement('div')
    block.append('')
    root.append(block)
    linesInPiece = 0
    return block.firstChild as Text
  }

  function write(): void {
    frame = undefined
    const text = waiting
    waiting = ''
    for (let at = 0; at < text.length; ) {
      piece ??= newPiece()
      const part = partFor(piece, text, at, pieceLines - linesInPiece)
      piece.appendData(text.slice(at, part.end))
      linesInPiece += part.lines
      at = part.end
      if (part.isFull) piece = undefined
    }
    onWritten()
  }

  const add = (text: string) => {
    waiting += text
    written += text
    hasLines ||= text !== ''
    frame ??= requestAnimationFrame(write)
  }

  return {
    append: (line: string): void => {
      add(hasLines ? `\n${line}` : line)
      hasLines = true
    },
    /** Keeps the scroll position if the new text only extends the old one. */
    show(text: string): void {
      if (!text.startsWith(written)) {
        root.replaceChildren()
        piece = undefined
        hasLines = false
        written = ''
        waiting = ''
      }
      add(text.slice(written.length))
    },
    stop(): void {
      if (frame !== undefined) cancelAnimationFrame(frame)
      root.replaceChildren()
    },
  }
}

function partFor(piece: Text, text: string, from: number, maxLines: number) {
  const limit = from + Math.max(pieceCharacters - piece.length, 1)
  let end = from
  let lines = 0
  while (lines < maxLines) {
    const next = text.indexOf('\n', end) + 1
    if (next === 0 || next > limit) break
    end = next
    lines += 1
  }
  if (lines < maxLines && text.length <= limit) return { end: text.length, lines, isFull: false }
  // Cuts a line only if it exceeds an empty piece, and never between surrogates.
  if (end === from && piece.length === 0)
    end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit
  return { end, lines, isFull: true }
}
