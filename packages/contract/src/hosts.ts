export const hostKinds = ['server', 'tunnel'] as const
export type HostKind = (typeof hostKinds)[number]

export const hostStates = ['queued', 'provisioning', 'ready', 'failed'] as const
export type HostState = (typeof hostStates)[number]
