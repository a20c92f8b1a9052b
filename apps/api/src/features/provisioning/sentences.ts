import { program } from '../../lib/program.ts'
import type { Ending, Outcome } from './playbook.ts'

const again = 'then set the host up again.'
const upgradeAgain = 'Correct the cause or add a better one, then upgrade one host again.'
const nothingChanged = 'so nothing was changed on the host.'

export const obstacles = {
  agentUrl: `KELID_AGENT_URL is not set, ${nothingChanged} Set it to the https address at which hosts reach this installation and restart it, ${again} A host that was set up by hand can be marked as ready.`,
  core: `There is no core on this installation, ${nothingChanged} Run "${program} core build" where Go is installed, or "${program} core add FILE" with a release, ${again}`,
  coreDamaged: `The core in KELID_CORE_DIR is damaged, ${nothingChanged} Add it anew with "${program} core add FILE" or "${program} core build", ${again}`,
  ansible: `Ansible is not installed on this installation, ${nothingChanged} Install it ("apt install ansible-core" on Debian and Ubuntu, "pipx install ansible-core" elsewhere), ${again}`,
  ssh: `The program ssh is not installed on this installation, ${nothingChanged} Install it ("apt install openssh-client" on Debian and Ubuntu), ${again}`,
  sshpass: `The host needs a password login, but the program sshpass is missing on this installation, ${nothingChanged} Install it ("apt install sshpass" on Debian and Ubuntu) or use a key, ${again}`,
  playbook: `The folder "provisioning" is not beside this installation, ${nothingChanged} Install the complete release, ${again}`,
} as const

export const notConfined = (reason: string): string =>
  `Ansible ran unconfined on the machine of the product, because the system does not allow confinement there (${reason}). A compromised host that takes Ansible over could read the secrets of this installation. See "Confined runs" in docs/operations.md.`

export const cleaningSkipped = {
  inUse: 'Another host now uses this address, so the machine is not cleaned.',
  unknown: 'The product never had access at this address, so there is nothing to clean.',
  same: 'The host still uses the same machine, under another address, so nothing is cleaned.',
} as const

export const notCleaned = (sentence: string): string =>
  `${sentence.replace(`, ${again}`, '.')} The product's files are still on the machine that the host left; the host itself is not affected.`

const tryAgain = 'The product tries again by itself, with growing pauses.'

export const issuance = {
  noProvider: 'No DNS provider is set. Enter it with its credentials in the settings ("network")',
  noLego:
    'The program lego is not installed on this installation. Install it ("apt install lego" on Debian and Ubuntu) or set KELID_LEGO to its path',
  unusable: (reason: string) => `lego returned a certificate that cannot be used: ${reason}`,
  paused: (until: Date) =>
    `The last issuance failed, and the next one begins after ${until.toISOString()}. Saving the DNS provider in the settings again ends the pause`,
  failed: (reason: string) =>
    `There is no certificate by DNS-01 for this server, ${nothingChanged} ${reason}. Correct the cause, ${again}`,
  old: (reason: string) =>
    `The certificate of this server could not be renewed by DNS-01; the current one is still valid. ${reason}. ${tryAgain}`,
} as const

export const notKept = (reason: string): string =>
  `The certificate of this server was not kept for another machine: ${reason}. The server itself is not affected.`

export const forbiddenTarget = ({ name, address }: { name: string; address: string }): string =>
  `${name} resolves to ${address}, which is reserved and cannot be a server or tunnel, ${nothingChanged} Correct the name or the address, ${again}`

export const siteLeftOut = (name: string, addresses: readonly string[]): string =>
  `Strangers see the site of the host itself, because ${name} ${addresses.length > 0 ? `leads to ${addresses.join(', ')}, which is not allowed` : 'cannot be resolved'}. Correct the name of the site, ${again}`

export const controlPlaneName = (name: string): string =>
  `${name} is a name of this control plane, for which it gets no certificate for a server, ${nothingChanged} Add the server again with another name.`

export const unknownVpnType = (vpnType: string): string =>
  `This version does not know the VPN type "${vpnType}", ${nothingChanged} Install the version that added the server, ${again}`

export const noAgent = (reason: string): string =>
  `The agent's program for the host is missing, ${nothingChanged} ${reason} Correct that, ${again}`

const codes: Readonly<Record<string, string>> = {
  NOT_SUPPORTED: `The host runs neither Debian 12 or 13 nor Ubuntu 22.04 or 24.04, ${nothingChanged} Install one of them there, ${again}`,
  NOT_THIS_PROCESSOR: `This installation has no programs for the processor of the host, ${nothingChanged} The log above names what is missing and how to add it. Add it, or use another machine, ${again}`,
  OTHER_FIREWALL: `Another firewall on the host drops what it does not know, ${nothingChanged} The log above names it. It would block customers, because a packet has to pass all firewalls. Remove it (for example "ufw disable", "systemctl disable --now firewalld" or "systemctl disable --now nftables"); Kelid brings its own, ${again}`,
  NO_SYSTEMD: `The host does not run systemd, as containers often do not. Use a machine that does, ${again}`,
  NO_ROOT: `The user cannot become root on the host; the log above has what sudo said. Let it use sudo there. If sudo asks for a password, enter it as the SSH password, also beside an SSH key. Or sign in as root, ${again}`,
  DISK_FULL: `The disk of the host is full. Make room there, ${again}`,
  PORT_TAKEN: `Another program on the host uses the required port; the log above names both. Hosts serve a web page on ports 80 and 443 beside the VPN port, so no other web server can run there. Stop that program or choose another port, ${again}`,
  EARLIER_VERSION: `Another service of this machine was set up by an earlier version, which knew one service only, ${nothingChanged} Provision that one, ${again}`,
  NAME_UNRESOLVED: `The name of the server does not resolve to its address, so no certificate can be issued. Correct the DNS record and wait until it is visible, ${again}`,
  CERTIFICATE_REFUSED: `The CA refused the certificate; the log above has its message. Correct the cause, or choose the product's own CA in the settings, ${again}`,
  UNKNOWN_VPN_TYPE: `The playbook does not know the VPN type that the log above names. Install the complete release again, ${again}`,
  CONFIG_REFUSED: `The core refuses the additional configuration of this server; the log above has its message. The core keeps running with its former configuration. Correct the configuration on the page "Change server", ${again}`,
  TARGET_UNREACHABLE: `The host cannot reach the site that strangers are to see by TLS 1.3 and HTTP/2, so nobody could connect. Choose another one on the page "Change server", ${again}`,
  PROGRAM_GONE: `Neither the store of this installation nor the host has a program that this host should run. Upgrade the host: that installs the newest.`,
  CORE_REFUSES: `The other core refuses the configuration of this host, so it was not started, and nobody was disconnected. ${upgradeAgain}`,
  CORE_SWITCHED_BACK: `The other core did not work on this host, so the one from before runs again; the log above has its last words. ${upgradeAgain}`,
  CORE_LOST: `Neither the other core nor the one from before works on this host. Look into "journalctl -u 'kelid-core*'" there, ${again}`,
  AGENT_SWITCHED_BACK: `The other agent did not start or did not reach this installation, so the one from before runs again; the log above has its last words. ${upgradeAgain}`,
  AGENT_LOST: `Neither the other agent nor the one from before reaches this installation. Look into "journalctl -u 'kelid-agent*'" on the host, ${again}`,
  CORE_DAMAGED: `The core arrived damaged on the host. Check the host's disk and memory, ${again}`,
}

/** ssh and sudo report errors only as text. */
const words = (sshPort: number): readonly (readonly [RegExp, string])[] => [
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed/i,
    `The host key at this address has changed. If the machine was reinstalled, accept its new key on the host's page, ${again} Otherwise somebody may be intercepting the connection.`,
  ],
  [
    /Invalid\/incorrect password|Permission denied, please try again/i,
    `The host refused the password. Correct user and password of the host, ${again}`,
  ],
  [
    /Load key .*(?:invalid format|error in libcrypto|incorrect passphrase)/i,
    `The SSH key of the host cannot be used: it is damaged or has a passphrase. Give one without a passphrase, ${again}`,
  ],
  [
    /Too many authentication failures|Permission denied/i,
    `The host refused the key. Put the product's own public key ("${program} ssh-key" prints it) into authorized_keys of the user there, or enter a key or a password of the host, ${again}`,
  ],
  [
    /(?:Missing|Incorrect|Timeout.*)sudo password|sudo: a password is required|not in the sudoers|sudo: command not found|sudo: not found/i,
    codes.NO_ROOT as string,
  ],
  [/No space left on device/i, codes.DISK_FULL as string],
  [
    /Connection refused/i,
    `Nothing listens for SSH at port ${sshPort} of the host. Check that sshd runs there on this port, or change the SSH port on the host's page ("Edit"), ${again}`,
  ],
  [
    /timed out|No route to host|Network is unreachable|Connection (?:closed|reset)/i,
    `The host cannot be reached at SSH port ${sshPort}. Check that it is on, that address and SSH port are right ("Edit" on the host's page changes the port) and that no firewall blocks them, ${again}`,
  ],
]

const exits: Readonly<Record<number, string>> = {
  1: `Ansible could not work here; the log above has its message. Correct the cause, ${again}`,
  4: `Ansible could not read its instructions; the log above has its message. Install the complete release again, ${again}`,
  126: `Ansible could not be confined on the machine of the product, ${nothingChanged} The log above has the reason. Correct it, ${again}`,
  127: obstacles.ansible,
  250: `Ansible broke down; the log above has its message. Install it again, ${again}`,
}

const asFarAs = (task: string) =>
  task
    ? ` The task "${task}" had begun and may still be running on the host; nothing after it was begun.`
    : ''

const endings: Record<Exclude<Ending, 'taken over'>, (task: string) => string> = {
  'called off': (task) => `The run was cancelled and its programs here were ended.${asFarAs(task)}`,
  'too long': (task) =>
    `The run exceeded its time limit and was ended.${asFarAs(task)} Check the host and its connection, ${again}`,
  stopping: (task) =>
    `The product was stopped and ended the programs of this run.${asFarAs(task)} The run starts again when the product is back.`,
}

export const endedBecause = (ending: Exclude<Ending, 'taken over'>, task: string): string =>
  endings[ending](task)

export const lostTooOften = `The worker of this run was lost three times, so the run failed. Check the product's own log and memory, ${again}`

/** null on success: exit code 0, and the host was reached without a failure. */
export function whyFailed({ code, failure, counts }: Outcome, sshPort: number): string | null {
  if (code === 0 && counts && counts.failures + counts.unreachable === 0) return null
  if (failure) {
    const sentence = codes[failure.code] ?? words(sshPort).find(([pattern]) => pattern.test(failure.msg))?.[1]
    if (sentence) return sentence
    if (failure.kind === 'unreachable')
      return `The host cannot be reached; the log above has the reason. Correct it, ${again}`
    return `The task "${failure.task}" failed on the host; the log above has the reason. Correct it, ${again}`
  }
  if (code === 0)
    return `The run unexpectedly did nothing on the host. Install the complete release again, ${again}`
  return (
    exits[code ?? -1] ??
    `Ansible ended with code ${code}; the log above has its message. Correct the cause, ${again}`
  )
}
