import { open } from 'node:fs/promises'

/** Processors of hosts, as Node names them. */
export const processors = ['x64', 'arm64'] as const
export type Processor = (typeof processors)[number]
export type PerProcessor<T> = { [Each in Processor]?: T }

export const thisProcessor: Processor = process.arch === 'arm64' ? 'arm64' : 'x64'

/** `e_machine` of an ELF header. */
const machines: Readonly<Record<number, Processor>> = { 62: 'x64', 183: 'arm64' }

/** Reads the header, because a program for another processor cannot be asked. null: not a program for a known one. */
export async function processorOf(file: string): Promise<Processor | null> {
  const handle = await open(file)
  try {
    const header = Buffer.alloc(20)
    await handle.read(header, 0, header.length, 0)
    const isElf = header.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1'))
    return (isElf && machines[header.readUInt16LE(18)]) || null
  } finally {
    await handle.close()
  }
}
