import { existsSync } from 'node:fs'
import { isVpnType } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { isControlPlaneName } from '../authority/authority.ts'
import { findForbiddenTarget } from '../hosts/hosts.ts'
import { currentSettings } from '../settings/settings.ts'
import { type ComposedRun, compose, composeCleaning, tlsName } from './description.ts'
import { IssuanceFailed } from './lego.ts'
import { findProgram } from './playbook.ts'
import { programsFor } from './programs.ts'
import type { RunRecord } from './provisioning.store.ts'
import { controlPlaneName, forbiddenTarget, obstacles, unknownVpnType } from './sentences.ts'
import { type Subject, subjectOf } from './subject.ts'
import { type WayIn, wayInto } from './way-in.ts'

export interface PreparedRun {
  subject: Subject
  way: WayIn
  composed: ComposedRun
}

export async function prepare(ctx: Context, run: RunRecord, playbook: string): Promise<PreparedRun | string> {
  const subject = await subjectOf(ctx, run)
  if (!subject) return 'The host is gone, so there is nothing to do.'
  const forbidden = await findForbiddenTarget(ctx, subject)
  if (forbidden) return forbiddenTarget(forbidden)
  const composed =
    run.purpose === 'clean' ? await composeCleaning(ctx, subject) : await composeSetUp(ctx, subject)
  if (typeof composed === 'string') return composed
  const way = await wayInto(ctx, subject)
  return missingProgram(way, playbook) ?? { subject, way, composed }
}

async function composeSetUp(ctx: Context, subject: Subject): Promise<ComposedRun | string> {
  if (!ctx.config.KELID_AGENT_URL) return obstacles.agentUrl
  if (subject.kind === 'server') {
    const { vpn_type } = subject.row
    if (!isVpnType(vpn_type)) return unknownVpnType(vpn_type)
    const name = tlsName(subject)
    const { source } = (await currentSettings(ctx.db)).certificates
    if (source !== 'acme' && isControlPlaneName(ctx.config, name)) return controlPlaneName(name)
  }
  const programs = await programsFor(ctx, subject.row)
  if (typeof programs === 'string') return programs
  return compose(ctx, subject, programs).catch((error: Error) => {
    if (error instanceof IssuanceFailed) return error.message
    throw error
  })
}

function missingProgram({ by }: WayIn, playbook: string): string | null {
  if (!findProgram('ansible-playbook') || !findProgram('python3')) return obstacles.ansible
  if (by !== 'local' && !findProgram('ssh')) return obstacles.ssh
  if (by === 'password' && !findProgram('sshpass')) return obstacles.sshpass
  return existsSync(playbook) ? null : obstacles.playbook
}
