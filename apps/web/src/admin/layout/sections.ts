import { adminPaths } from '../paths.ts'

/** `also` lists further addresses of a section. */
export const sections = [
  { name: 'dashboard', to: adminPaths.dashboard },
  { name: 'servers', to: adminPaths.managedServers, also: [`${adminPaths.vpn}server`, adminPaths.vpn] },
  { name: 'tunnels', to: adminPaths.managedTunnels, also: [`${adminPaths.vpn}tunnel`] },
  { name: 'people', to: adminPaths.people, also: [adminPaths.account.replace(/:.*/, '')] },
  { name: 'credit', to: adminPaths.credit, also: [adminPaths.ledger] },
  { name: 'tunnelCredit', to: adminPaths.tunnelCredit },
  { name: 'debt', to: adminPaths.debt },
  { name: 'data', to: adminPaths.data },
  { name: 'prices', to: adminPaths.prices },
  { name: 'plans', to: adminPaths.plans },
  { name: 'network', to: adminPaths.network },
  { name: 'upgrades', to: adminPaths.upgrades },
  { name: 'compensations', to: adminPaths.compensations },
  { name: 'audit', to: adminPaths.audit },
  { name: 'security', to: adminPaths.security },
] as const satisfies readonly { name: string; to: string; also?: readonly string[] }[]

export type Section = (typeof sections)[number]

export function sectionAt(pathname: string): Section | undefined {
  const matchLength = (section: Section) =>
    Math.max(
      ...[section.to, ...('also' in section ? section.also : [])].map((start) =>
        pathname.startsWith(start) ? start.length : 0,
      ),
    )
  return sections
    .filter((section) => matchLength(section) > 0)
    .toSorted((one, other) => matchLength(other) - matchLength(one))[0]
}
