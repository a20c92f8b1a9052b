import type { Check } from './trouble.ts'

/** The agent logs what it cannot do as "cannot ...". What fails before two looks in a row is a trouble. */
export function hearFailures(log: (line: string) => void) {
  let heard = ''
  let heardBefore = ''
  const check: Check = async () => {
    const isTrouble = heard !== '' && heardBefore !== ''
    heardBefore = heard
    heard = ''
    return isTrouble ? { kind: 'agent', detail: heardBefore } : undefined
  }
  return {
    check,
    say(line: string) {
      if (line.startsWith('cannot ')) heard = line
      log(line)
    },
  }
}
