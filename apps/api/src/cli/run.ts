import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { program } from '../lib/program.ts'
import { type Command, type Desk, UsageError } from './command.ts'
import { commands, helpCommand, usageOf } from './commands.ts'
import { explain } from './explain.ts'

const hint = `"${program} help" shows what there is.`

interface Understood {
  command: Command
  operands: string[]
  flags: ReadonlySet<string>
}

function understand(args: readonly string[]): Understood {
  const { positionals, values } = parse(args)
  const { help, ...said } = values
  const [name, ...operands] = positionals
  const flags = new Set(Object.keys(said))
  if (name === undefined || help) return { command: helpCommand, operands: [], flags }
  const command = commands.find((one) => one.name === name)
  if (!command) throw new UsageError(`There is no command "${name}". ${hint}`)
  const needed = command.operands.filter((operand) => !operand.startsWith('['))
  const isFit =
    operands.length >= needed.length &&
    operands.length <= command.operands.length &&
    [...flags].every((flag) => command.flags?.includes(flag))
  if (!isFit) throw new UsageError(`Usage: ${usageOf(command)}`)
  return { command, operands, flags }
}

const flagsOfAll = Object.fromEntries(
  commands.flatMap(({ flags = [] }) => flags).map((flag) => [flag, { type: 'boolean' }] as const),
)

function parse(args: readonly string[]) {
  try {
    const options = { ...flagsOfAll, help: { type: 'boolean', short: 'h' } } as const
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. ${hint}`)
  }
}

export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { say, note, signal }: Omit<Desk, 'config' | 'flags'>,
): Promise<0 | 1 | 2> {
  try {
    const { command, operands, flags } = understand(args)
    const config = command === helpCommand ? readConfig({}) : readConfig(env)
    await command.run({ config, say, note, signal, flags }, ...operands)
    return 0
  } catch (error) {
    note(explain(error))
    return error instanceof UsageError ? 2 : 1
  }
}
