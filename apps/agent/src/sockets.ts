import { readFile } from 'node:fs/promises'

/** TCP connections of this host that are open. */
export async function countTcpSockets(): Promise<number> {
  const sockets = await readFile('/proc/self/net/sockstat', 'utf8')
  return Number(/^TCP: inuse (\d+)/m.exec(sockets)?.[1] ?? 0)
}
