import { connect, type TLSSocket } from 'node:tls'
import type { TargetProblem } from '@kelid/contract'

const timeoutMs = 5_000

/** What a site lacks of what REALITY needs, as far as it can be seen from here. */
export const siteProblems = (host: string, servername: string, port = 443): Promise<TargetProblem[]> =>
  new Promise((resolve) => {
    // A site without HTTP/2 ends a handshake that offers nothing else.
    const ALPNProtocols = ['h2', 'http/1.1']
    const socket = connect({ host, port, servername, ALPNProtocols, rejectUnauthorized: false })
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
