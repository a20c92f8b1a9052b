import { readFile } from 'node:fs/promises'
import { type TroubleKind, vpnCatalogue } from '@kelid/contract'
import type { Config } from '../config.ts'
import { openCore } from '../core.ts'
import { readInbound } from '../core-file.ts'
import { requestRepair } from './repair.ts'
import { ask, type Check } from './trouble.ts'

/** Everybody reconnects after a restart. */
const restartAtMostEvery = 300_000
const invalidConfiguration = '23'
const crashes = 3

export interface CoreLook {
  /** Properties of the unit; empty if systemd does not answer. */
  readonly unit: Readonly<Record<string, string>>
  readonly answers: boolean
  readonly listens: boolean
}

const isRunning = ({ unit }: CoreLook) => ['active', undefined].includes(unit.ActiveState)

/** One bad look may be a restart, so most troubles need two in a row. */
export function coreTrouble(
  look: CoreLook,
  before: CoreLook | undefined,
): { kind: TroubleKind; detail?: string } | undefined {
  const { ActiveState, Result, ExecMainStatus, NRestarts } = look.unit
  if (ActiveState === 'failed' && ExecMainStatus === invalidConfiguration)
    return { kind: 'core-configuration' }
  if (!before) return undefined
  const restarts = Number(NRestarts) - Number(before.unit.NRestarts)
  if (restarts >= crashes) return { kind: 'core-crashing', detail: `${restarts} restarts in half a minute` }
  if (isRunning(look) !== isRunning(before)) return undefined
  if (!isRunning(look)) return { kind: 'core-stopped', detail: `${ActiveState}, ${Result}` }
  if (!look.answers && !before.answers) return { kind: 'core-hung' }
  return look.listens || before.listens ? undefined : { kind: 'core-deaf' }
}

/** `sockets` is a table of /proc/net; UDP sockets without a peer have state 07. */
export function listensOn(sockets: string, port: number): boolean {
  const local = port.toString(16).toUpperCase().padStart(4, '0')
  return new RegExp(`^ *\\d+: [0-9A-F]+:${local} [0-9A-F:]+ 0[A7] `, 'm').test(sockets)
}

export async function isListening(network: 'tcp' | 'udp', port: number): Promise<boolean> {
  const tables = [network, `${network}6`].map((name) =>
    readFile(`/proc/self/net/${name}`, 'utf8').catch(() => ''),
  )
  return listensOn((await Promise.all(tables)).join(''), port)
}

/** Customers of a tunnel connect to nginx. */
const listensForCustomers = async ({ kind, inbound }: Config): Promise<boolean> =>
  kind === 'tunnel' || isListening(vpnCatalogue[kind].network, (await readInbound(inbound)).port)

const properties = 'ActiveState,Result,ExecMainStatus,NRestarts'

async function readUnit(name: string): Promise<Record<string, string>> {
  const text = await ask('/usr/bin/systemctl', 'show', name, `--property=${properties}`)
  return Object.fromEntries(text.split('\n').map((line) => line.split('=', 2)))
}

export function checkCore(config: Config): Check {
  const core = openCore(config.api)
  const answers = () =>
    core.uptimeSeconds().then(
      () => true,
      () => false,
    )
  let before: CoreLook | undefined
  return async () => {
    // Without an answer of systemd a hung core is still noticed; the reason is thrown at the end.
    const unit = await readUnit(config.coreUnit).catch((error: Error) => error)
    const look: CoreLook = {
      unit: unit instanceof Error ? {} : unit,
      answers: await answers(),
      listens: await listensForCustomers(config),
    }
    const trouble = coreTrouble(look, before)
    before = look
    if (!trouble && unit instanceof Error) throw unit
    const isRepairable = trouble?.kind === 'core-hung' || trouble?.kind === 'core-deaf'
    return (
      trouble && {
        ...trouble,
        ...(isRepairable && { repair: () => requestRepair(config.restart, restartAtMostEvery) }),
      }
    )
  }
}
