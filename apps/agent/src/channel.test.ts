import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { controlPlaneSubject, hello } from '@kelid/contract'
import { afterAll, expect, test } from 'vitest'
import { openChannel } from './channel.ts'
import type { Config } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'kelid-channel-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('a control plane that takes a question and never answers is given up in time', async () => {
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const name = ['-subj', `/CN=${controlPlaneSubject}`, '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', file('key.pem'), '-out', file('certificate.pem')]
  execFileSync('openssl', ['req', '-x509', ...made, ...name, ...files], { stdio: 'ignore' })
  const [key, cert] = [readFileSync(file('key.pem')), readFileSync(file('certificate.pem'))]
  const silent = createServer({ key, cert }, () => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const config = {
    ...{ url: `https://127.0.0.1:${(silent.address() as AddressInfo).port}`, state: folder },
    ...{ ca: file('certificate.pem'), certificate: file('certificate.pem'), key: file('key.pem') },
  } as Config
  const channel = await openChannel(config, '1.0')
  const collecting = setInterval(collectGarbage, 20)
  const since = performance.now()
  const asked = channel.ask(hello, { coreVersion: '', now: '' }, new AbortController().signal, 400)
  await expect(asked).rejects.toThrow(/no answer in time/)
  expect(performance.now() - since).toBeLessThan(10_000)
  clearInterval(collecting)
  channel.close()
  silent.closeAllConnections()
  silent.close()
})
