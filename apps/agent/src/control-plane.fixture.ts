import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { controlPlaneSubject } from '@kelid/contract'
import type { Config } from './config.ts'

export async function openControlPlane(folder: string, listener: RequestListener) {
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const name = ['-subj', `/CN=${controlPlaneSubject}`, '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', keyFile, '-out', certificateFile]
  execFileSync('openssl', ['req', '-x509', ...keyOptions, ...name, ...files], { stdio: 'ignore' })
  const [key, cert] = [readFileSync(keyFile), readFileSync(certificateFile)]
  const server = createServer({ key, cert }, listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    config: {
      ...{ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, state: folder },
      ...{ ca: certificateFile, certificate: certificateFile, key: keyFile },
    } as Config,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
