import { publicSshKey } from '../features/provisioning/provisioning.ts'
import { program } from '../lib/program.ts'
import type { Command } from './command.ts'
import { coreCommand } from './core.ts'
import { backupCommand, checkCommand, restoreCommand } from './data.ts'
import { doctorCommand } from './doctor.ts'
import { withContext } from './installation.ts'
import {
  createAdminCommand,
  removeSecondFactorCommand,
  resetPasswordCommand,
  setLevelCommand,
} from './users.ts'

const sshKeyCommand: Command = {
  name: 'ssh-key',
  operands: [],
  summary: "print the product's own public key, for authorized_keys of the hosts that it sets up",
  async run(desk) {
    desk.say(await withContext(desk.config, desk.note, publicSshKey))
  },
}

const commandList: readonly Command[] = [
  createAdminCommand,
  resetPasswordCommand,
  setLevelCommand,
  removeSecondFactorCommand,
  backupCommand,
  restoreCommand,
  checkCommand,
  doctorCommand,
  coreCommand,
  sshKeyCommand,
]

const wordsOf = ({ name, operands, flags = [] }: Command): string =>
  [name, ...flags.map((flag) => `[--${flag}]`), ...operands].join(' ')

export const usageOf = (command: Command): string => `${program} ${wordsOf(command)}`

function helpText(): string {
  const lines = commands.map((command) => ({ left: wordsOf(command), command }))
  const width = Math.max(...lines.map(({ left }) => left.length))
  return [
    `Usage: ${program} COMMAND`,
    '',
    ...lines.map(({ left, command }) => `  ${left.padEnd(width)}  ${command.summary}`),
    '',
    'The database is the one the server uses: DATABASE_URL, or the embedded one in KELID_DATA_DIR, running or not.',
    'Exit code: 0 done, 1 refused or problems found, 2 usage error.',
  ].join('\n')
}

export const helpCommand: Command = {
  name: 'help',
  operands: [],
  summary: 'show this help',
  run: async ({ say }) => say(helpText()),
}

export const commands: readonly Command[] = [...commandList, helpCommand]
