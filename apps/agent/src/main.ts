import { readConfig } from './config.ts'
import { greet } from './greet.ts'
import { runNode } from './node.ts'
import { keepRenewing } from './renew.ts'

declare const AGENT_VERSION: string

const [path = '/etc/kelid/agent/config.json'] = process.argv.slice(2)
const say = (line: string) => void process.stdout.write(`${line}\n`)
const stopping = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())

try {
  const config = await readConfig(path)
  say(`kelid agent ${AGENT_VERSION} on Node ${process.version}`)
  await Promise.all(
    [greet, runNode, keepRenewing].map((work) => work(config, AGENT_VERSION, say, stopping.signal)),
  )
  say('stopping')
} catch (error) {
  say(`the agent cannot start: ${(error as Error).message}`)
  process.exitCode = 1
  stopping.abort()
}
