import { getServerLog } from '@kelid/contract'
import { serverPath } from '../apps/web/src/admin/paths.ts'
import { examine, sidewaysScroll } from './examine.ts'
import { logBox, newServer } from './hosts.ts'
import { markup, payload, watch } from './payload.ts'
import { button } from './see.ts'
import { expect, asAdministrator as test } from './test.ts'
import { answer } from './wire.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('hostile output stays text, and the log can be scrolled', async ({ page, say, language }) => {
  const { serverUUID } = await newServer()
  const seen = watch(page)
  const hostile = `${payload}\u001b[31m${'very-long '.repeat(400)}`
  const lines = Array.from({ length: 50_000 }, (_, n) => (n % 1_000 === 0 ? hostile : `task ${n}`))
  const log = lines.join('\n').slice(-1_048_576)
  await answer(page, getServerLog, { ansibleLog: log, ansibleState: 'provisioning' })
  await page.goto(serverPath(serverUUID))
  await expect(logBox(page)).toContainText('task 49999')
  const atEnd = () => logBox(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 24)
  await expect.poll(atEnd).toBe(true)
  const text = await logBox(page).evaluate((box) => box.textContent ?? '')
  expect(text).toContain(markup)
  expect(text).not.toMatch(/\p{Bidi_Control}/u)
  expect(text).not.toContain('\u001b')
  expect(await logBox(page).locator('script, img, svg, a').count()).toBe(0)
  expect(await page.evaluate(() => 'hit_' in window)).toBe(false)
  expect(seen).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  await logBox(page).focus()
  await page.keyboard.press('PageUp')
  await expect(page.getByText(say('hosts.log.stopped'))).toBeVisible()
  await button(page, say('hosts.log.higher')).click()
  expect((await logBox(page).boundingBox())?.height).toBeGreaterThan(202)
  await button(page, say('hosts.log.lower')).click()
  await examine(page, 'admin-log-hostile', language)
  await button(page, say('hosts.log.follow')).click()
  await expect.poll(atEnd).toBe(true)
  const download = page.waitForEvent('download')
  await button(page, say('hosts.log.download')).click()
  expect((await download).suggestedFilename()).toBe(`server-${serverUUID}.log`)
})
