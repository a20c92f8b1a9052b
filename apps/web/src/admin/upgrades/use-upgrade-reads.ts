import { getHostPrograms, getUpgrades } from '@kelid/contract'
import { useLiveReads } from '../kit/use-live-reads.ts'

export const upgradeReads = [getHostPrograms, getUpgrades]

/** Runs change hosts, and each change of a host may begin the next upgrade. */
export const useUpgradeReads = (): void =>
  useLiveReads(upgradeReads, ({ type }) => type === 'server' || type === 'tunnel')
