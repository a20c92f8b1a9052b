import { randomUUID } from 'node:crypto'
import type { Random } from '../../../test/faults/random.ts'
import type { KnownLease } from './data.store.ts'
import { boundOf } from './division.ts'
import { settle } from './settle.ts'

const tick = 200
const second = 1_000
const mostPerMs = 12_500
const MB = 2 ** 20

/** A node as docs/agent.md describes it, with one account and a customer who is as fast as the line. */
class Node {
  readonly server = randomUUID()
  frame = randomUUID()
  spent = 0
  until = 0
  granted = 0
  asked = 0
  /** What really went through since the node last looked at the counters. */
  uncounted = 0
  lastGrowth = 0
  isOpen = false
  stored = { spent: 0, until: 0 }
  /** Until then the agent, and with `isDark` the whole host, is away. */
  awayUntil = 0
  isDark = false
  looksAt = 0
  reportsAt = 0
  need(): 0 | 1 | 2 {
    const room = this.until - this.spent
    if (room <= 0) return 2
    return room <= this.granted / 2 ? 1 : 0
  }
  store() {
    this.stored = { spent: this.spent, until: this.until }
  }
}

interface ControlPlane {
  used: number
  leases: readonly KnownLease[]
  heard: ReadonlySet<string>
  since: number
}

/** Nodes and a control plane with the real rules, in a time of its own. */
export function simulate(random: Random, bytes: number, ways: number) {
  const nodes = Array.from({ length: ways }, () => new Node())
  let now = 0
  let isControlPlaneAway = false
  let state: ControlPlane = { used: 0, leases: [], heard: new Set(), since: 0 }
  let backup = state
  let isLineBad = false
  const at = () => new Date(Date.UTC(2026, 0, 1) + now)
  /** `unwatched`: past the end of a lease while the agent was away; `lost`: never counted. */
  const figures = { through: 0, unwatched: 0, lost: 0, reports: 0, closedFor: 0, longestClosed: 0 }
  const isExhausted = () => state.used >= bytes

  function report(node: Node) {
    node.reportsAt = now + 10 * second
    node.store()
    if (isControlPlaneAway || (isLineBad && random.chance(0.3))) return
    figures.reports += 1
    const { server, frame, spent, until } = node
    const heard = new Set([...state.heard, server])
    const account = {
      ...{
        uuid: 'a',
        bytes,
        used: state.used,
        reminded: 0,
        created_at: new Date(Date.UTC(2025, 0, 1)),
        ways,
      },
      unheard: ways - heard.size,
    }
    const known = state.leases.map((one) => ({
      ...one,
      heard_at: heard.has(one.server_uuid) ? one.heard_at : null,
    }))
    const said = { server, isWay: true, said: { frame, spent, until } }
    const isSilent = (heardAt: Date | null) =>
      now - state.since > 180 * second &&
      (heardAt === null || at().getTime() - heardAt.getTime() > 180 * second)
    const { used, leases, urgent } = settle(account, known, said, at(), isSilent)
    state = {
      ...state,
      used,
      leases: leases.map((one) => (one.server_uuid === server ? { ...one, heard_at: at() } : one)),
      heard,
    }
    for (const other of nodes)
      if (urgent.includes(other.server)) other.reportsAt = Math.min(other.reportsAt, now + tick)
    if (isLineBad && random.chance(0.3)) return
    node.asked = node.need()
    const lease = leases.find((one) => one.server_uuid === server)
    if (!lease || (lease.offered === lease.held && lease.until <= Math.max(lease.offered, lease.spent)))
      return
    const before = node.until
    node.until = Math.max(lease.offered, node.spent)
    node.granted = node.until - node.spent
    node.asked = 0
    if (node.until < before) node.reportsAt = now + tick
  }

  function look(node: Node) {
    node.lastGrowth = node.uncounted / Math.max(1, now - node.looksAt + second)
    node.spent += node.uncounted
    node.uncounted = 0
    if (node.spent - node.stored.spent >= 8 * MB) node.store()
    const room = node.until - node.spent
    node.isOpen = room > 0 && !isExhausted()
    node.looksAt = now + (room > 0 && room < mostPerMs * 2 * second ? tick : second)
    if (!isExhausted() && node.need() > node.asked) node.reportsAt = Math.min(node.reportsAt, now)
  }

  /** One step, in which customers want to use these ways at these speeds. */
  function step(demand: ReadonlyMap<Node, number>) {
    now += tick
    let isClosed = false
    for (const node of nodes) {
      const bytesPerMs = node.isDark && now < node.awayUntil ? 0 : (demand.get(node) ?? 0)
      if (node.isOpen) {
        node.uncounted += bytesPerMs * tick
        figures.through += bytesPerMs * tick
        const beyond = node.spent + node.uncounted - node.until
        if (now < node.awayUntil && beyond > 0) figures.unwatched += Math.min(beyond, bytesPerMs * tick)
      } else if (bytesPerMs > 0) isClosed = true
      if (now < node.awayUntil) continue
      node.isDark = false
      if (now >= node.looksAt) look(node)
      if (now >= node.reportsAt) {
        report(node)
        look(node)
      }
    }
    figures.closedFor = isClosed && !isExhausted() ? figures.closedFor + tick : 0
    figures.longestClosed = Math.max(figures.longestClosed, figures.closedFor)
  }

  const accidents = {
    agentKilled(node: Node) {
      node.awayUntil = now + 4 * second
      node.asked = 0
    },
    coreKilled(node: Node) {
      figures.lost += node.uncounted
      node.uncounted = 0
    },
    powerCut(node: Node) {
      figures.lost += node.uncounted + node.spent - node.stored.spent
      Object.assign(node, { ...node.stored, uncounted: 0, isOpen: false, isDark: true, asked: 0 })
      node.awayUntil = now + 20 * second
    },
    controlPlane() {
      isControlPlaneAway = !isControlPlaneAway
      if (!isControlPlaneAway) state = { ...state, since: now }
    },
    line() {
      isLineBad = !isLineBad
    },
    backup() {
      backup = state
    },
    restore() {
      state = { ...backup, heard: new Set(), since: now }
    },
  }
  return {
    nodes,
    figures,
    accidents,
    step,
    bound: boundOf(bytes),
    used: () => state.used,
    isExhausted,
    now: () => now,
    mend() {
      isLineBad = false
      if (isControlPlaneAway) accidents.controlPlane()
    },
  }
}
