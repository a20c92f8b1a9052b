import { connect } from 'node:net'
import { connect as connectTls, type PeerCertificate } from 'node:tls'
import { authority } from './authority.ts'
import type { Host } from './host.ts'

/** What comes back for what is sent, and after how long the connection is closed. */
export const knock = (host: Host, send?: string) =>
  new Promise<{ bytes: number; milliseconds: number }>((resolve) => {
    const since = performance.now()
    let bytes = 0
    const socket = connect(443, host.address, () => send && socket.write(send))
    socket.on('data', (data) => {
      bytes += data.length
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve({ bytes, milliseconds: Math.round(performance.now() - since) }))
    socket.setTimeout(10_000, () => socket.destroy())
  })

/** The certificate that a name leads to, if the hello is sent after a while. */
export const handshake = (host: Host, servername: string, { after = 0, ca = authority() } = {}) =>
  new Promise<PeerCertificate>((resolve, reject) => {
    const socket = connect(443, host.address, () => {
      setTimeout(() => {
        const tls = connectTls({ socket, servername, ca }, () => {
          resolve(tls.getPeerCertificate())
          tls.destroy()
        })
        tls.on('error', reject)
      }, after)
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('It was closed')))
    socket.setTimeout(5000, () => socket.destroy())
  })
