import { spawn } from 'node:child_process'
import { connect } from 'node:http2'
import { Duplex } from 'node:stream'
import { type Host, sshOptions } from './host.ts'

/** The few messages of the core's own API that an account takes, in its wire format: fields of bytes, by number. */
const field = (number: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content)
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7]
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes])
}
const typed = (type: string, content: Buffer) => Buffer.concat([field(1, type), field(2, content)])

const accountOf = {
  trojan: (secret: string) => typed('xray.proxy.trojan.Account', field(1, secret)),
  hysteria: (secret: string) => typed('xray.proxy.hysteria.account.Account', field(1, secret)),
  vless: (secret: string) => typed('xray.proxy.vless.Account', field(1, secret)),
  'vless with vision': (secret: string) =>
    typed('xray.proxy.vless.Account', Buffer.concat([field(1, secret), field(2, 'xtls-rprx-vision')])),
}

/** One call, through SSH: the API listens on the host's own loopback. */
function call(host: Host, path: string, message: Buffer): Promise<void> {
  const ssh = spawn('ssh', [...sshOptions, '-W', '127.0.0.1:10085', `root@${host.address}`], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const session = connect('http://core', {
    createConnection: () => Duplex.from({ readable: ssh.stdout, writable: ssh.stdin }) as never,
  })
  return new Promise<void>((resolve, reject) => {
    session.on('error', reject)
    const request = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    const answered = (headers: Record<string, unknown>) => {
      if (headers['grpc-status'] === undefined) return
      if (headers['grpc-status'] === '0') resolve()
      else reject(new Error(String(headers['grpc-message'])))
    }
    request.on('response', answered).on('trailers', answered).on('error', reject).resume()
    const length = Buffer.alloc(5)
    length.writeUInt32BE(message.length, 1)
    request.end(Buffer.concat([length, message]))
  }).finally(() => {
    session.destroy()
    ssh.kill()
  })
}

export function addAccount(host: Host, type: keyof typeof accountOf, name: string, secret: string) {
  const user = Buffer.concat([field(2, name), field(3, accountOf[type](secret))])
  const operation = typed('xray.app.proxyman.command.AddUserOperation', field(1, user))
  const path = '/xray.app.proxyman.command.HandlerService/AlterInbound'
  return call(host, path, Buffer.concat([field(1, 'vpn'), field(2, operation)]))
}
