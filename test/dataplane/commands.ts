import { execFile, execFileSync } from 'node:child_process'

/** Runs a program and gives its output; a failure says what the program said. */
export function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 26,
  })
}

export type Ended = { code: number; stdout: string; stderr: string }

/** Runs a program while others run too. */
export function runBeside(
  [program = '', ...args]: string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string; input?: string; timeout?: number } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const { input, ...rest } = options
    const child = execFile(
      program,
      args,
      { encoding: 'utf8', maxBuffer: 2 ** 26, ...rest },
      (error, stdout, stderr) =>
        resolve({ code: error ? (typeof error.code === 'number' ? error.code : 1) : 0, stdout, stderr }),
    )
    // It may end without reading.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input ?? '')
  })
}

/** Asks again until the answer is there; fails with the last complaint. */
export async function until<T>(
  what: string,
  seconds: number,
  ask: () => Promise<T> | T,
  every = 50,
): Promise<T> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (performance.now() > end)
        throw new Error(`Not within ${seconds} s: ${what}: ${error instanceof Error ? error.message : error}`)
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  }
}

export const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`
