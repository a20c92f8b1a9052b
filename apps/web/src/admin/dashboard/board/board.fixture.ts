import type { Answer, getActivity } from '@kelid/contract'
import type { Board } from './problems.ts'

export const calmBoard: Board = {
  users: 1_204,
  administrators: 2,
  accounts: { limited: 0, active: 8_120, disabled: 41, expired: 310, abused: 3 },
  servers: { queued: 0, provisioning: 0, ready: 6, failed: 0 },
  serverCapacity: 10_000,
  serverAccounts: 8_474,
  tunnels: { queued: 0, provisioning: 0, ready: 3, failed: 0 },
  tunnelCapacity: 0,
  tunnelAccounts: 0,
  totalCredit: 1_250_000,
  totalTunnelCredit: 90_000,
  totalDebt: 0,
  lastFailures: [],
  lastExpiryDate: null,
  lastLedgerCheckDate: null,
  ledgerIsSound: true,
  ledgerFindings: 0,
  auditIsSound: true,
  lastAuditCheckDate: null,
  downServers: 0,
  silentServers: 0,
  downTunnels: 0,
  silentTunnels: 0,
  refusingHosts: [],
  hostAlerts: [],
  hostTroubles: [],
  strangeAuthorities: [],
  endingServers: [],
  lateJobs: [],
  rooms: [],
  pointsSold: 77_300,
  debtByAge: [
    { age: 'week', users: 0, debt: 0 },
    { age: 'month', users: 0, debt: 0 },
    { age: 'quarter', users: 0, debt: 0 },
    { age: 'older', users: 0, debt: 0 },
  ],
}

const room = { hosts: 3, full: 0, nearlyFull: 0, capacity: 300, accounts: 200 }

export const brokenBoard: Board = {
  ...calmBoard,
  servers: { ...calmBoard.servers, failed: 2 },
  tunnels: { ...calmBoard.tunnels, failed: 1 },
  downServers: 1,
  silentTunnels: 4,
  ledgerIsSound: false,
  ledgerFindings: 12,
  auditIsSound: false,
  lateJobs: [
    { name: 'expiry', lastSuccessDate: new Date(Date.now() - 3 * 3_600_000).toISOString() },
    { name: 'newest', lastSuccessDate: null },
  ],
  rooms: [
    { ...room, subject: 'server', type: 'trojan', tunnelType: 'wstunnel', full: 3 },
    { ...room, subject: 'server', type: 'hysteria2-direct', tunnelType: '', full: 1, nearlyFull: 1 },
    { ...room, subject: 'tunnel', type: 'ssh', tunnelType: '' },
  ],
  lastFailures: [
    {
      subject: 'server',
      uuid: '11111111-1111-4111-8111-111111111111',
      name: 'fra-1',
      failedDate: new Date(Date.now() - 600_000).toISOString(),
      lastLine: '<b>unreachable</b>',
      state: 'failed',
    },
    {
      subject: 'tunnel',
      uuid: '22222222-2222-4222-8222-222222222222',
      name: 'thr-1',
      failedDate: new Date(Date.now() - 700_000).toISOString(),
      lastLine: 'made good since',
      state: 'ready',
    },
  ],
  totalDebt: 310.5,
  debtByAge: [
    { age: 'week', users: 2, debt: 10.5 },
    { age: 'month', users: 0, debt: 0 },
    { age: 'quarter', users: 1, debt: 200 },
    { age: 'older', users: 3, debt: 100 },
  ],
}

const dayAt = (index: number) =>
  new Date(Date.parse('2026-10-18T00:00:00Z') + index * 86_400_000).toISOString().slice(0, 10)

export const month: Answer<typeof getActivity> = {
  days: Array.from({ length: 30 }, (_, index) => ({
    day: dayAt(index),
    created: index,
    renewed: 0,
    pointsSold: index * 300,
  })),
  expiring: Array.from({ length: 30 }, (_, index) => ({ day: dayAt(index + 29), accounts: index % 5 })),
}
