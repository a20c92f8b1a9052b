import { inflateRawSync } from 'node:zlib'

const endMark = 0x06054b50
const entryMark = 0x02014b50
const endSize = 22
const longestComment = 65_535

/** null if the file is missing. Supports what releases use: stored or deflated, no encryption, below 4 GB. */
export function fromZip(zip: Buffer, fileName: string): Buffer | null {
  let end = zip.length - endSize
  while (end >= 0 && zip.length - end <= endSize + longestComment && zip.readUInt32LE(end) !== endMark)
    end -= 1
  if (end < 0 || zip.readUInt32LE(end) !== endMark) return null
  let at = zip.readUInt32LE(end + 16)
  for (let remaining = zip.readUInt16LE(end + 10); remaining > 0; remaining -= 1) {
    if (zip.readUInt32LE(at) !== entryMark) return null
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    ) as [number, number, number]
    if (zip.toString('utf8', at + 46, at + 46 + nameSize) === fileName) return content(zip, at)
    at += 46 + nameSize + extraSize + commentSize
  }
  return null
}

function content(zip: Buffer, entry: number): Buffer | null {
  const method = zip.readUInt16LE(entry + 10)
  const size = zip.readUInt32LE(entry + 20)
  const header = zip.readUInt32LE(entry + 42)
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  const compressed = zip.subarray(start, start + size)
  if (method === 0) return compressed
  return method === 8 ? inflateRawSync(compressed) : null
}
