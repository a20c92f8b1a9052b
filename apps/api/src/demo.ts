import { explain } from './cli/explain.ts'
import { withContext } from './cli/installation.ts'
import { readConfig } from './config.ts'
import { openDemo } from './demo/open-demo.ts'
import { pretendNodes } from './demo/pretended-nodes.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  process.env.KELID_DATA_DIR ||= './demo-data'
  // Probes would report the fictitious servers as down.
  process.env.KELID_PROBES ||= 'no'
  const config = readConfig(process.env)
  const logins = await withContext(config, say, (ctx) => openDemo(ctx, { say }), { mayBeEmpty: true })
  say('')
  say('  The demo has fictitious people and servers. Sign in as')
  for (const { who, email, password } of logins) say(`    ${email.padEnd(26)}  ${password}  ${who}`)
  say('')
  await import('./main.ts')
  pretendNodes(config)
}

main().catch((error: unknown) => {
  process.stderr.write(`The demo could not start. ${explain(error)}\n`)
  process.exit(1)
})
