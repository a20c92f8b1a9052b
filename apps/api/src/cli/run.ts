import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { type Command, type Desk, UsageError } from './command.ts'
import { commands, helpCommand, usageOf } from './commands.ts'
import { explain } from './explain.ts'

const hint = '"npm run kelid -- help" shows what there is.'

function understand(args: readonly string[]): { command: Command; operands: string[] } {
  const { positionals, values } = parse(args)
  const [name, ...operands] = positionals
  if (name === undefined || values.help) return { command: helpCommand, operands: [] }
  const command = commands.find((one) => one.name === name)
  if (!command) throw new UsageError(`There is no command "${name}". ${hint}`)
  if (operands.length !== command.operands.length) throw new UsageError(`Usage: ${usageOf(command)}`)
  return { command, operands }
}

function parse(args: readonly string[]) {
  try {
    const options = { help: { type: 'boolean', short: 'h' } } as const
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. ${hint}`)
  }
}

/** Runs one command; the exit code is 0 when it is done, 1 when it was refused, 2 when it was not understood. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { say, note, signal }: Omit<Desk, 'config'>,
): Promise<0 | 1 | 2> {
  try {
    const { command, operands } = understand(args)
    const config = command === helpCommand ? readConfig({}) : readConfig(env)
    await command.run({ config, say, note, signal }, ...operands)
    return 0
  } catch (error) {
    note(explain(error))
    return error instanceof UsageError ? 2 : 1
  }
}
