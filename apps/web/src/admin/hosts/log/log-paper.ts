/** A piece is small enough to be laid out between two frames, and what is out of sight is not laid out at all. */
const pieceLines = 200
const pieceCharacters = 16_384

/**
 * Writes lines into an element as text and nothing else. Lines are collected and written once a frame; what stands there
 * is never written again, so that the thousandth line costs what the first did.
 */
export function createLogPaper(root: HTMLElement, onWritten: () => void) {
  let waiting = ''
  let shown = ''
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
    shown += text
    hasLines ||= text !== ''
    frame ??= requestAnimationFrame(write)
  }

  return {
    append: (line: string): void => {
      add(hasLines ? `\n${line}` : line)
      hasLines = true
    },
    /** A whole log. Whoever reads further up is not disturbed when it only goes on. */
    show(text: string): void {
      if (!text.startsWith(shown)) {
        root.replaceChildren()
        piece = undefined
        hasLines = false
        shown = ''
        waiting = ''
      }
      add(text.slice(shown.length))
    },
    stop(): void {
      if (frame !== undefined) cancelAnimationFrame(frame)
      root.replaceChildren()
    },
  }
}

/** What goes into a piece: whole lines with the breaks at their ends, as many as it has room for, or the rest of the text. */
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
  // Only a line that is longer than an empty piece is cut, and never in the middle of a character.
  if (end === from && piece.length === 0)
    end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit
  return { end, lines, isFull: true }
}
