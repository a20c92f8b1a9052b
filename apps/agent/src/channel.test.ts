import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { hello } from '@kelid/contract'
import { expect, test } from 'vitest'
import { temporaryFolder } from './agent.fixture.ts'
import { openChannel } from './channel.ts'
import { openControlPlane } from './control-plane.fixture.ts'

const folder = temporaryFolder()

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('a request that gets no answer times out', async () => {
  const silent = await openControlPlane(folder, () => {})
  const channel = await openChannel(silent.config, '1.0')
  const collecting = setInterval(collectGarbage, 20)
  const since = performance.now()
  const asked = channel.ask(hello, { coreVersion: '', now: '' }, new AbortController().signal, 400)
  await expect(asked).rejects.toThrow(/no answer in time/)
  expect(performance.now() - since).toBeLessThan(10_000)
  clearInterval(collecting)
  channel.close()
  silent.close()
})
