import { adminRules, limits, parseWholeNumber, Refusal, rules, ruleTexts } from '@kelid/contract'
import { createAdmin, randomPassword } from '../features/auth/first-start.ts'
import { resetPassword } from '../features/auth/reset-password.ts'
import { removeFor } from '../features/auth/second-factor-setup.ts'
import { setLevel } from '../features/user-admin/level.ts'
import { byOperator, type Command, CommandFailure, type Desk, UsageError } from './command.ts'
import { withContext } from './installation.ts'

const nobody = (email: string) => new CommandFailure(`There is no user with the e-mail ${email}.`)

function parseEmail(rule: typeof rules.email, email: string): string {
  const parsed = rule.safeParse(email)
  if (parsed.success) return parsed.data
  throw new UsageError(`"${email}" must be ${ruleTexts.email}, at most ${limits.textMax} characters.`)
}

function showPassword({ say }: Desk, password: string): void {
  say(`Password: ${password}`)
  say('It is shown only once. Sign in and change it.')
}

export const createAdminCommand: Command = {
  name: 'create-admin',
  operands: ['EMAIL'],
  summary: 'create an administrator with a random password and print it',
  async run(desk, emailText = '') {
    const email = parseEmail(rules.email, emailText)
    const password = randomPassword()
    const isNew = await withContext(
      desk.config,
      desk.note,
      (ctx) => createAdmin(ctx, email, password, byOperator),
      { mayBeEmpty: true },
    )
    if (!isNew)
      throw new CommandFailure(
        `There is already a user with the e-mail ${email}; "set-level ${email} ${limits.levelMax}" makes them an administrator.`,
      )
    desk.say(`The administrator ${email} was created.`)
    showPassword(desk, password)
  },
}

export const resetPasswordCommand: Command = {
  name: 'reset-password',
  operands: ['EMAIL'],
  summary: 'give a user a random password, print it, and end their sessions',
  async run(desk, emailText = '') {
    const email = parseEmail(rules.signInEmail, emailText)
    const password = randomPassword()
    const isDone = await withContext(desk.config, desk.note, (ctx) =>
      resetPassword(ctx, byOperator, email, password),
    )
    if (!isDone) throw nobody(email)
    desk.say(`The password of ${email} was replaced, and their sessions have ended.`)
    showPassword(desk, password)
  },
}

export const setLevelCommand: Command = {
  name: 'set-level',
  operands: ['EMAIL', 'LEVEL'],
  summary: `set a user's level, 0 to ${limits.levelMax}; above ${limits.adminLevelAbove} is an administrator`,
  async run(desk, emailText = '', levelText = '') {
    const email = parseEmail(rules.signInEmail, emailText)
    const level = adminRules.level.safeParse(parseWholeNumber(levelText))
    if (!level.success) throw new UsageError(`"${levelText}" must be ${ruleTexts.level}.`)
    await withContext(desk.config, desk.note, (ctx) =>
      setLevel(ctx, byOperator, { userEmail: email, value: level.data }),
    ).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      throw error.type === 'RESOURCE_NOT_FOUND' ? nobody(email) : new CommandFailure(`${error.message}.`)
    })
    desk.say(`${email} has level ${level.data} now, and their sessions have ended.`)
  },
}

export const removeSecondFactorCommand: Command = {
  name: 'remove-second-factor',
  operands: ['EMAIL'],
  summary:
    'let an administrator who has lost app and recovery codes sign in by password, and end their sessions',
  async run(desk, emailText = '') {
    const email = parseEmail(rules.signInEmail, emailText)
    const outcome = await withContext(desk.config, desk.note, (ctx) => removeFor(ctx, byOperator, email))
    if (outcome === 'nobody') throw nobody(email)
    if (outcome === 'had none') throw new CommandFailure(`${email} has no second factor.`)
    desk.say(`${email} has no second factor now, and their sessions have ended.`)
  },
}
