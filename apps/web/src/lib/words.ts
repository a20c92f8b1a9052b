/** Each folder of these has words of its own, a namespace to i18next; `app` is what every page has. */
export const namespaces = ['app', 'calls', 'shared', 'visitor', 'reseller', 'admin'] as const
export type Namespace = (typeof namespaces)[number]
