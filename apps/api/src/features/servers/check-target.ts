import { connect, type TLSSocket } from 'node:tls'
import type { Answer, checkRealityTarget, Input, TargetProblem } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { refuseForbiddenTarget } from '../../lib/forbidden-targets.ts'
import * as store from './servers.store.ts'

const timeoutMs = 5_000

/** What a server with REALITY needs of the site that it shows strangers, as far as it can be seen from here. */
export async function checkTarget(
  ctx: Context,
  { serverRealityTarget: target, serverSNIAddress: sni, serverUUID }: Input<typeof checkRealityTarget>,
): Promise<Answer<typeof checkRealityTarget>> {
  const addresses = await ctx.resolve(target)
  for (const address of addresses) refuseForbiddenTarget(ctx, address)
  const [address] = addresses
  const usedBy = await store.namesWithTarget(ctx.db, target, serverUUID)
  return { targetProblems: address ? await problemsAt(address, sni || target) : ['UNREACHABLE'], usedBy }
}

const problemsAt = (host: string, servername: string): Promise<TargetProblem[]> =>
  new Promise((resolve) => {
    const socket = connect({ host, port: 443, servername, ALPNProtocols: ['h2'], rejectUnauthorized: false })
    const end = (problems: TargetProblem[]) => {
      clearTimeout(tooLate)
      socket.destroy()
      resolve(problems)
    }
    const tooLate = setTimeout(() => end(['UNREACHABLE']), timeoutMs)
    socket.once('secureConnect', () => end(problemsOf(socket)))
    socket.on('error', () => end(['UNREACHABLE']))
    socket.once('close', () => end(['UNREACHABLE']))
  })

const problemsOf = (socket: TLSSocket): TargetProblem[] => [
  ...(socket.getProtocol() === 'TLSv1.3' ? [] : ['NO_TLS13' as const]),
  ...(socket.alpnProtocol === 'h2' ? [] : ['NO_H2' as const]),
  ...(socket.authorized ? [] : ['CERTIFICATE' as const]),
]
