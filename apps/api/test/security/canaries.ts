import { randomBytes } from 'node:crypto'

const canary = (name: string) => `Canary-${name}-${randomBytes(6).toString('hex')}7!`

/** One distinctive secret for every field in which somebody types one. */
export const canaries = {
  adminPassword: canary('Admin'),
  signUpPassword: canary('Up'),
  wrongPassword: canary('Wrong'),
  newPassword: canary('New'),
  commonMistake: canary('Mistake'),
  sshUsername: `canary-${randomBytes(6).toString('hex')}`,
  sshPassword: canary('Ssh'),
  sshKey: randomBytes(48).toString('base64'),
  hostingName: canary('HostingName'),
  hostingUsername: canary('HostingUser'),
  hostingPassword: canary('Hosting'),
  gatewayToken: canary('Gateway'),
  secretKey: randomBytes(32).toString('hex'),
  forgedToken: randomBytes(32).toString('base64url'),
  idempotencyKey: `canary-${randomBytes(12).toString('hex')}`,
}

export const keyBlock = `-----BEGIN OPENSSH PRIVATE KEY-----\n${canaries.sshKey}\n-----END OPENSSH PRIVATE KEY-----\n`

/** A secret as it is, and as it would look in a dump of bytes or in base64. */
const disguises = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [
    secret,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    encodeURIComponent(secret),
  ]
}

/** The names of the secrets that a text holds, in any disguise. */
export function findCanaries(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => disguises(secret).some((form) => text.includes(form)))
    .map(([name]) => name)
}
