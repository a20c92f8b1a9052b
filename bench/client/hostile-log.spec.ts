import { getServerLog, routes } from '@kelid/contract'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { serverPath } from '../../apps/web/src/admin/paths.ts'
import { newServer } from '../../e2e/hosts.ts'
import { newAdministrator } from '../../e2e/people.ts'
import { testedProduct } from '../../e2e/product/tested-product.ts'
import { answer, letThrough } from '../../e2e/wire.ts'
import { wordsOf } from '../../e2e/words.ts'
import { type Acts, expectNoHoldUps } from './hold-ups.ts'
import { signedInPage } from './people.ts'

const frames = 100
const linesPerFrame = 500

const hostile = `<img src=x onerror=alert(1)>\u001b[31m\u202e${'long '.repeat(200)}`

interface Fed {
  feed: (events: readonly object[]) => void
}

/** Replaces the live stream by one that the test writes to. */
const holdStream = (page: Page) =>
  page.addInitScript((path) => {
    const real = window.fetch.bind(window)
    window.fetch = (input, init) => {
      if (!String(input).endsWith(path)) return real(input, init)
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => {
          const encoder = new TextEncoder()
          Object.assign(window, {
            feed: (events: readonly object[]) =>
              stream.enqueue(
                encoder.encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
              ),
          })
        },
      })
      return Promise.resolve(new Response(body))
    }
  }, routes.events.path)

/** Streams 50,000 lines; every frame gets as many as a run writes in a minute. */
const stream = (page: Page, uuid: string, from: number) =>
  page.evaluate(
    ([subject, first, most, each, line]) =>
      new Promise<void>((resolve) => {
        let frame = 0
        const next = () => {
          const events = Array.from({ length: each }, (_, n) => ({
            type: 'log',
            subject: 'server',
            uuid: subject,
            run: 'a',
            number: first + frame * each + n,
            line: n % 100 === 0 ? line : `ok: task ${frame * each + n}`,
          }))
          ;(window as unknown as Fed).feed(events)
          frame += 1
          if (frame < most) requestAnimationFrame(next)
          else resolve()
        }
        requestAnimationFrame(next)
      }),
    [uuid, from, frames, linesPerFrame, hostile] as const,
  )

/** Reads only the last piece: searching a megabyte would itself be the longest task. */
const isShown = (line: string): boolean =>
  document.querySelector('[role=region][dir=ltr] > div > div:last-child')?.textContent?.endsWith(line) ??
  false

/** The server stores this much of a log. */
const wholeLog =
  `${Array.from({ length: 50_000 }, (_, n) => (n % 500 === 0 ? hostile : `changed: task ${n}`)).join('\n')}\nthe end`.slice(
    -1_048_576,
  )

let serverUUID = ''
const read = Array.from({ length: 1_000 }, (_, n) => (n % 100 === 0 ? hostile : `task ${n}`))
const box = (page: Page) => page.locator('[role=region][dir=ltr]')

async function open(browser: Browser): Promise<Page> {
  const { token } = await newAdministrator()
  const page = await signedInPage(browser, token, { level: 6 })
  await holdStream(page)
  await answer(page, getServerLog, { ansibleLog: read.join('\n'), ansibleState: 'provisioning' })
  await page.goto(testedProduct().url + serverPath(serverUUID))
  await expect(box(page)).toContainText('task 999')
  return page
}

const acts: Acts = {
  stream: async (page) => {
    await stream(page, serverUUID, read.length + 1)
    await page.waitForFunction(isShown, `ok: task ${frames * linesPerFrame - 1}`)
  },
  'read the whole log': async (page) => {
    await page.getByRole('button', { name: wordsOf('en')('hosts.log.get'), exact: true }).click()
    await page.waitForFunction(isShown, 'the end')
  },
}

const beforeEach: Acts = {
  'read the whole log': async (page) => {
    const lines = await box(page).evaluate((element) => element.textContent?.split('\n').length)
    expect(lines).toBe(read.length + frames * linesPerFrame)
    await letThrough(page, getServerLog)
    await answer(page, getServerLog, { ansibleLog: wholeLog, ansibleState: 'failed' })
  },
}

test('50,000 hostile log lines, streamed or as one megabyte, do not block the page', async ({ browser }) => {
  serverUUID = (await newServer()).serverUUID
  await expectNoHoldUps(browser, open, acts, beforeEach)
})
