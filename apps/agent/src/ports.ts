import { deflateRawSync, inflateRawSync } from 'node:zlib'

const bitmapBytes = 8_192
/** A Set up to here, a bitmap beyond: most accounts have few ports, and a bitmap has a fixed price. */
const maxInSet = 64

/** Ports of one account at one address. */
export class PortSet {
  readonly #few = new Set<number>()
  #bitmap: Uint8Array | null = null

  constructor(ports: Iterable<number> = []) {
    for (const port of ports) this.add(port)
  }

  has(port: number): boolean {
    if (!this.#bitmap) return this.#few.has(port)
    return ((this.#bitmap[port >> 3] ?? 0) & (1 << (port & 7))) !== 0
  }

  add(port: number): void {
    if (!this.#bitmap && this.#few.size < maxInSet) this.#few.add(port)
    else {
      this.#bitmap ??= this.#toBitmap()
      this.#few.clear()
      this.#bitmap[port >> 3] = (this.#bitmap[port >> 3] ?? 0) | (1 << (port & 7))
    }
  }

  delete(port: number): void {
    if (!this.#bitmap) this.#few.delete(port)
    else this.#bitmap[port >> 3] = (this.#bitmap[port >> 3] ?? 0) & ~(1 << (port & 7))
  }

  list(): number[] {
    return this.#bitmap ? [...Array(65_536).keys()].filter((port) => this.has(port)) : [...this.#few]
  }

  #toBitmap(): Uint8Array {
    const bitmap = new Uint8Array(bitmapBytes)
    for (const port of this.#few) bitmap[port >> 3] = (bitmap[port >> 3] ?? 0) | (1 << (port & 7))
    return bitmap
  }

  /** The form in reports and orders: a bit for each port, compressed, in base64. */
  encode(): string {
    return deflateRawSync(this.#bitmap ?? this.#toBitmap()).toString('base64')
  }

  /** Null if the text, which may come from a compromised host, is not such a form. */
  static decode(text: string): PortSet | null {
    try {
      const bitmap = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: bitmapBytes })
      if (bitmap.length !== bitmapBytes) return null
      const ports = new PortSet()
      ports.#bitmap = bitmap
      return ports
    } catch {
      return null
    }
  }
}
