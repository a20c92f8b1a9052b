import { getUserAccounts } from '@kelid/contract'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { manyAccounts } from '../../apps/web/test/accounts.ts'
import { newReseller } from '../../e2e/people.ts'
import { testedProduct } from '../../e2e/product/tested-product.ts'
import { fakeCrowd } from './crowd.ts'
import { type Acts, expectNoHoldUps } from './hold-ups.ts'
import { signedInPage } from './people.ts'

const count = 10_000
const states = ['active', 'active', 'active', 'disabled', 'expired', 'abused'] as const

const accounts = manyAccounts(count).map((account, n) => {
  const accountState = states[n % states.length] ?? 'active'
  return {
    ...account,
    accountVPNType: n % 2 === 0 ? 'trojan' : 'hysteria2-direct',
    accountDuration: accountState === 'expired' ? 0 : (n % 364) + 1,
    accountEnabled: accountState !== 'disabled',
    accountAbuse: accountState === 'abused',
    accountState,
  }
})

/** Scrolls in every frame of the page, like a finger. */
const scroll = async (page: Page, pixelsAFrame: number, frames: number) => {
  const moved = await page.evaluate(
    ([step, most]) =>
      new Promise<number>((resolve) => {
        const from = scrollY
        let left = most
        const move = () => {
          scrollBy(0, step)
          left -= 1
          if (left > 0) requestAnimationFrame(move)
          else resolve(scrollY - from)
        }
        requestAnimationFrame(move)
      }),
    [pixelsAFrame, frames] as const,
  )
  expect(moved / (pixelsAFrame * frames), 'scrolled part of the requested distance').toBeGreaterThan(0.5)
}

const row = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

/** Scrolling to the end loads one page, so this repeats it until the account appears. */
const readTo = (last: number) => (page: Page) =>
  page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const isThere = () =>
          [...document.querySelectorAll('main [aria-rowindex] a')].some(
            ({ textContent }) => Number(textContent?.split('_')[1]) <= wanted,
          )
        const readOn = () => {
          scrollTo(0, document.body.scrollHeight)
          if (isThere()) resolve()
          else requestAnimationFrame(readOn)
        }
        readOn()
      }),
    last,
  )

/** Faster than a finger. */
const fling = (page: Page) => scroll(page, -600, 300)

const jump = async (page: Page) => {
  for (const part of [0.9, 0.1, 0.6, 0, 1]) {
    const at = await page.evaluate((share) => {
      const wanted = (document.body.scrollHeight - innerHeight) * share
      scrollTo(0, wanted)
      return Math.abs(scrollY - wanted)
    }, part)
    expect(at, `pixels from ${part} of the list`).toBeLessThan(100)
  }
}

const search = async (page: Page) => {
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('searchbox').pressSequentially('customer_77', { delay: 20 })
  await expect(row(page, 'customer_7799')).toBeVisible()
  await page.getByRole('searchbox').fill('')
  await expect(row(page, `customer_${count - 1}`)).toBeVisible()
}

const filter = async (page: Page) => {
  const [state, sort] = [page.getByRole('combobox').nth(0), page.getByRole('combobox').nth(1)]
  await state.selectOption('expired')
  await expect(row(page, `customer_${count - 1}`)).toHaveCount(0)
  await state.selectOption('all')
  await sort.selectOption('accountName')
  await expect(row(page, 'customer_0')).toBeVisible()
}

/** Newest first. Reading all at once takes so long that a stall of the machine is likely; so it is split. */
const acts: Acts = {
  'read a quarter': readTo(count * 0.75),
  'read half': readTo(count * 0.5),
  'read three quarters': readTo(count * 0.25),
  'read all': readTo(0),
  fling,
  steady: (page) => scroll(page, 60, 300),
  jump,
  search,
  filter,
}

async function open(browser: Browser): Promise<Page> {
  const { token } = await newReseller({ credit: 0, tunnelCredit: 0 })
  const page = await signedInPage(browser, token)
  const fields = { searched: 'accountName', narrowed: 'accountState', by: 'state' }
  await fakeCrowd(page, getUserAccounts, accounts, fields)
  await page.goto(testedProduct().url + paths.accounts)
  await expect(row(page, `customer_${count - 1}`)).toBeVisible()
  return page
}

test('scrolling, searching and filtering 10,000 accounts do not block the page', async ({ browser }) => {
  await expectNoHoldUps(browser, open, acts)
})
