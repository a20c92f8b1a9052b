/** A host is a machine that the house sets up and keeps: a server, which customers leave by, or a tunnel before it. */
export const hostKinds = ['server', 'tunnel'] as const
export type HostKind = (typeof hostKinds)[number]

export const hostStates = ['queued', 'provisioning', 'ready', 'failed'] as const
export type HostState = (typeof hostStates)[number]
