import { publicSshKey } from '../features/provisioning/provisioning.ts'
import type { Command } from './command.ts'
import { withContext } from './installation.ts'

export const sshKeyCommand: Command = {
  name: 'ssh-key',
  operands: [],
  summary: "print the product's own public key, for authorized_keys of the hosts that it sets up",
  async run(desk) {
    desk.say(await withContext(desk.config, desk.note, publicSshKey))
  },
}
