import { type Command, CommandFailure } from './command.ts'
import { examineDatabase } from './doctor/database.ts'
import type { Examine } from './doctor/finding.ts'
import { examineClock, examineDisk, examinePrograms } from './doctor/machine.ts'
import { examineAgentAddress, examinePorts, examinePublicAddress } from './doctor/network.ts'

const examinations: readonly Examine[] = [
  examineDatabase,
  examinePorts,
  examinePublicAddress,
  examineAgentAddress,
  examinePrograms,
  examineDisk,
  examineClock,
]

export const doctorCommand: Command = {
  name: 'doctor',
  operands: [],
  summary: 'say what is wrong with this installation: database, ports, addresses, certificates, disk, clock',
  async run({ config, say }) {
    let problems = 0
    // One after the other: two of them may start the embedded database for a moment.
    for (const examine of examinations)
      for (const { isProblem, text } of await examine(config)) {
        say(`${isProblem ? 'PROBLEM ' : 'good    '} ${text}`)
        if (isProblem) problems += 1
      }
    if (problems > 0) throw new CommandFailure(`Problems found: ${problems}.`)
  },
}
