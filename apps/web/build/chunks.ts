import { join } from 'node:path'
import type { Manifest, ManifestChunk } from 'vite'
import { partOf } from '../parts.ts'

const root = join(import.meta.dirname, '..')

/** The built chunks as Vite's manifest lists them, by source file or by a key of Vite's. */
export class Chunks {
  readonly entry: ManifestChunk
  readonly #manifest: Manifest

  constructor(manifest: Manifest) {
    const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
    if (!entry) throw new Error('The manifest has no entry')
    this.#manifest = manifest
    this.entry = entry
    this.#refuseCircles()
  }

  /** A chunk in a circle runs before what it imports, and its area stays empty. */
  #refuseCircles(): void {
    for (const key of Object.keys(this.#manifest)) {
      const imported = new Set(this.get(key).imports)
      for (const other of imported) for (const next of this.get(other).imports ?? []) imported.add(next)
      if (imported.has(key)) throw new Error(`The chunk ${key} imports itself by way of others: see parts.ts`)
    }
  }

  get(key: string): ManifestChunk {
    const chunk = this.#manifest[key]
    if (!chunk) throw new Error(`There is no chunk ${key}`)
    return chunk
  }

  /** The chunk of a file: its own, or that of the part that it belongs to. */
  keyOf(file: string): string {
    const part = partOf(join(root, file))
    if (part === null) return file
    return Object.keys(this.#manifest).find((key) => this.#manifest[key]?.name === part) ?? part
  }

  /** The chunks of these files and all that they import, without what every page loads. */
  neededBy(files: readonly string[]): string[] {
    return this.#collect(files, ({ imports = [] }) => imports)
  }

  /** Those, and what they import later. */
  reachableFrom(files: readonly string[]): string[] {
    return this.#collect(files, ({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports])
  }

  #collect(files: readonly string[], next: (chunk: ManifestChunk) => readonly string[]): string[] {
    const keys = new Set<string>()
    const add = (key: string) => {
      const chunk = this.get(key)
      if (keys.has(key) || chunk === this.entry || this.entry.imports?.includes(key)) return
      keys.add(key)
      for (const other of next(chunk)) add(other)
    }
    for (const file of files) add(this.keyOf(file))
    return [...keys]
  }
}
