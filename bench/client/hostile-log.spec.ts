import { randomUUID } from 'node:crypto'
import { addServer, getServerLog, routes } from '@kelid/contract'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { serverPath } from '../../apps/web/src/admin/paths.ts'
import { newAddress } from '../../e2e/hosts.ts'
import { asAdmin, newAdministrator } from '../../e2e/people.ts'
import { testedProduct } from '../../e2e/product/tested-product.ts'
import { sessionItems, stored } from '../../e2e/test.ts'
import { answer, letThrough } from '../../e2e/wire.ts'
import { wordsOf } from '../../e2e/words.ts'
import { type Acts, expectNoHoldUps } from './hold-ups.ts'

const frames = 100
const linesAFrame = 500

const hostile = `<img src=x onerror=alert(1)>\u001b[31m\u202e${'long '.repeat(200)}`

interface Fed {
  feed: (events: readonly object[]) => void
}

/** The live stream as the page reads it, written to by the test. */
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

/** Fifty thousand lines, as many in every frame as a run writes in a minute. */
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
    [uuid, from, frames, linesAFrame, hostile] as const,
  )

/** By its last piece alone: to read a megabyte to find a line in it would be the longest task of all. */
const isShown = (line: string): boolean =>
  document.querySelector('[role=region][dir=ltr] > div > div:last-child')?.textContent?.endsWith(line) ??
  false

/** As long as is kept of a log. */
const wholeLog =
  `${Array.from({ length: 50_000 }, (_, n) => (n % 500 === 0 ? hostile : `changed: task ${n}`)).join('\n')}\nthe end`.slice(
    -1_048_576,
  )

const serverUUID = randomUUID()
const read = Array.from({ length: 1_000 }, (_, n) => (n % 100 === 0 ? hostile : `task ${n}`))
const box = (page: Page) => page.locator('[role=region][dir=ltr]')

async function open(browser: Browser): Promise<Page> {
  const { token } = await newAdministrator()
  const context = await browser.newContext({ storageState: stored(sessionItems('en', token, 6)) })
  const page = await context.newPage()
  await holdStream(page)
  await answer(page, getServerLog, { ansibleLog: read.join('\n'), ansibleState: 'provisioning' })
  await page.goto(testedProduct().url + serverPath(serverUUID))
  await expect(box(page)).toContainText('task 999')
  return page
}

const acts: Acts = {
  stream: async (page) => {
    await stream(page, serverUUID, read.length + 1)
    await page.waitForFunction(isShown, `ok: task ${frames * linesAFrame - 1}`)
  },
  'read the whole log': async (page) => {
    await page.getByRole('button', { name: wordsOf('en')('hosts.log.get'), exact: true }).click()
    await page.waitForFunction(isShown, 'the end')
  },
}

/** Between the two acts, so that neither is measured with it. */
const beforeEach: Acts = {
  'read the whole log': async (page) => {
    const lines = await box(page).evaluate((element) => element.textContent?.split('\n').length)
    expect(lines).toBe(read.length + frames * linesAFrame)
    await letThrough(page, getServerLog)
    await answer(page, getServerLog, { ansibleLog: wholeLog, ansibleState: 'failed' })
  },
}

test('50,000 hostile log lines, streamed or as one megabyte, do not block the page', async ({ browser }) => {
  await asAdmin()(addServer, {
    serverUUID,
    serverName: 'fra-log',
    serverType: 'hysteria',
    serverVersion: '1.0',
    serverVPNType: 'hysteria2-direct',
    serverVPNVersion: '2.6',
    serverIPV4: newAddress(),
    serverURL: 'fra5.example.com',
    serverPort: 443,
    serverMaxAccounts: 0,
    serverTunnelActive: false,
    serverTunnelType: '',
    countryId: 0,
  })
  await expectNoHoldUps(browser, open, acts, beforeEach)
})
