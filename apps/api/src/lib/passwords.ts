import { Refusal } from '@kelid/contract'
import { hash, verify } from '@node-rs/argon2'

const usualCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export interface Passwords {
  hash(password: string): Promise<string>
  /** Costs the same for an unknown user (`stored` undefined). */
  matches(stored: string | undefined, password: string): Promise<boolean>
}

/** Each argon2id hash takes 19 MiB and a core, so a flood is queued briefly and then refused as "busy". */
export function createPasswords({ atATime = 2, waiting = 64, cost = usualCost } = {}): Passwords {
  let running = 0
  const line: (() => void)[] = []

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atATime) {
      if (line.length >= waiting) throw new Refusal('BUSY')
      await new Promise<void>((go) => line.push(go))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running -= 1
    }
  }

  const hashNow = (password: string) => inTurn(() => hash(password, cost))
  const nobody = hash('nobody signs in with this', cost)

  return {
    hash: hashNow,
    async matches(stored, password) {
      const against = stored ?? (await nobody)
      const isRight = await inTurn(() => verify(against, password))
      return isRight && stored !== undefined
    },
  }
}
