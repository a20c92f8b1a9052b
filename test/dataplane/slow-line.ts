import { symlinkSync } from 'node:fs'
import { addServer, getServer, getServerLog, provisionServer, removeHost } from '@kelid/contract'
import { expect } from 'vitest'
import { seconds, until } from './commands.ts'
import { bootHost } from './host.ts'
import { hysteria, productKey, trust } from './installation.ts'
import { type Line, openLine } from './line.ts'
import { address } from './network.ts'
import { call, settled } from './product.ts'
import { names } from './resolver.ts'
import { memo } from './stage.ts'

/** The product's end of a line. */
const control = memo(async () => {
  symlinkSync(`/proc/${process.pid}/ns/net`, '/run/netns/control')
  return { name: 'control', address: address.control }
})

/** A server that the product sets up over a slow line; `during` may break it off. Gives the log. */
export async function setUpOver(
  line: Line,
  patience: number,
  during: (
    way: Awaited<ReturnType<typeof openLine>>,
    log: () => Promise<string>,
  ) => Promise<void> = async () => {},
) {
  const key = await productKey()
  const host = await bootHost('slow', '198.51.100.44')
  const body = hysteria('slow', host)
  const { serverUUID } = body
  names.set('slow.example', host.address)
  await trust(host, key)
  const way = await openLine(await control(), host, line)
  const log = async () => (await call(getServerLog, { serverUUID })).ansibleLog
  try {
    const since = performance.now()
    await call(addServer, body)
    await during(way, log)
    const state = () => call(getServer, { serverUUID }).then(({ serverState }) => serverState)
    await until(
      'the server to be set up',
      patience,
      async () => {
        if (!['ready', 'failed'].includes(await state())) throw new Error(await log())
      },
      1_000,
    )
    const text = await log()
    expect(await state(), text).toBe('ready')
    console.log(`set up at ${line.megabits} Mbit/s in ${seconds(since)}`)
    for (const name of ['core', 'node', 'agent'])
      console.log(text.split('\n').findLast((part) => part.startsWith(`${name}: `)))
    const again = performance.now()
    await call(provisionServer, { serverUUID })
    expect(await settled('server', serverUUID)).toMatch(/target\s+:.*changed=0\b/)
    console.log(`the same once more in ${seconds(again)}`)
    return text
  } finally {
    await way.close()
    await call(removeHost, { hostUUID: serverUUID })
  }
}
