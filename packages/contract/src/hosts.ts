/** A host is a machine that the house sets up and keeps: a server, which customers leave by, or a tunnel before it. */
export const hostKinds = ['server', 'tunnel'] as const
export type HostKind = (typeof hostKinds)[number]

export const hostStates = ['queued', 'provisioning', 'ready', 'failed'] as const
export type HostState = (typeof hostStates)[number]

/** Of a host that takes new accounts: without a place left, and with a tenth of them or less left. */
export const hostRooms = ['full', 'nearlyFull'] as const
export type HostRoom = (typeof hostRooms)[number]
