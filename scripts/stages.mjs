import { spawn } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'

/** Low enough that tests with time limits go first, high enough that the others do not starve. */
const besidePriority = Math.min(getPriority() + 5, 19)

const minutesSince = (since) => `${((performance.now() - since) / 60_000).toFixed(1)} minutes`

/**
 * Runs stages one after the other. A stage has lanes, which run side by side, and a lane has steps, which follow each
 * other. A lane that is beside another runs at a lower priority, and what its steps print is shown when they have
 * ended and no other step is printing. The first step that fails ends all. Resolves with the exit code.
 */
export async function runStages(stages, { cwd, env, out = process.stdout }) {
  const stopping = new AbortController()
  const stop = (reason) => stopping.abort(reason)
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => stop(new Error(`Ended by ${signal}`)))
  const isOver = () => stopping.signal.aborted
  const began = performance.now()
  let isPrinting = false
  let held = ''
  const release = () => {
    out.write(held)
    held = ''
  }

  /** Resolves when the step has ended. Only a step beside another gives its output to `print`. */
  async function runStep({ command, env: own }, isBeside, print) {
    const [program, ...args] = command
    const stdio = isBeside ? ['ignore', 'pipe', 'pipe'] : 'inherit'
    const child = spawn(program, args, { cwd, env: { ...env, ...own }, stdio })
    if (isBeside && child.pid) setPriority(child.pid, besidePriority)
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', print)
    const end = () => child.kill('SIGTERM')
    stopping.signal.addEventListener('abort', end)
    const code = await new Promise((resolve) => {
      child.once('error', resolve)
      child.once('close', resolve)
    })
    stopping.signal.removeEventListener('abort', end)
    return code === 0
  }

  async function runInFront(step) {
    isPrinting = true
    out.write(`\n== ${step.title}\n`)
    const since = performance.now()
    step.before?.()
    const isDone = await runStep(step, false)
    isPrinting = false
    if (isDone) out.write(`== ${step.title}: ${minutesSince(since)}\n`)
    release()
    return isDone
  }

  async function runBeside(step) {
    const since = performance.now()
    let text = ''
    step.before?.()
    const isDone = await runStep(step, true, (more) => {
      text += more
    })
    held += `\n== ${step.title}\n${text.trimEnd()}\n`
    if (isDone) held += `== ${step.title}: ${minutesSince(since)}\n`
    if (!isPrinting) release()
    return isDone
  }

  async function runLane({ steps }, isBeside) {
    const run = isBeside ? runBeside : runInFront
    for (const step of steps) {
      if (isOver()) return
      const runWith = async (more) => {
        const isDone = await run({ ...step, env: { ...step.env, ...more } })
        if (!isDone) stop(new Error(`Failed: ${step.title}`))
      }
      await (step.within ? step.within((url) => runWith({ DATABASE_URL: url })) : runWith())
    }
  }

  for (const lanes of stages) {
    const isBeside = (lane) => lanes.length > 1 && lane.isBeside === true
    for (const { steps } of lanes.filter(isBeside))
      out.write(`\n== beside what follows: ${steps.map(({ title }) => title).join(', ')}\n`)
    await Promise.all(lanes.map((lane) => runLane(lane, isBeside(lane)).catch(stop)))
    release()
    if (!isOver()) continue
    console.error(`\n${stopping.signal.reason.message}`)
    return 1
  }
  out.write(`\n== all: ${minutesSince(began)}\n`)
  return 0
}
