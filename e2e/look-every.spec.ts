import { examine } from './examine.ts'
import { adminValues } from './hosts.ts'
import { fillPath, screensOf, somePhone } from './screens.ts'
import { waitForScreen } from './see.ts'
import { asFirstAdmin, asFull } from './shared-resellers.ts'
import { test } from './test.ts'

const calm = { contextOptions: { reducedMotion: 'reduce' } } as const
test.use(calm)
asFull.use(calm)
asFirstAdmin.use(calm)

for (const { name, path } of screensOf('visitor'))
  test(name, async ({ page, language }) => {
    await page.goto(fillPath(path, { phone: somePhone }))
    await waitForScreen(page)
    await examine(page, name.replace('/', '-'), language)
  })

for (const { name, path } of screensOf('reseller'))
  asFull(name, async ({ page, language, full }) => {
    await page.goto(fillPath(path, { accountUUID: full.accounts.at(-1)?.accountUUID ?? '' }))
    await waitForScreen(page)
    await examine(page, name.replace('/', '-'), language)
  })

for (const { name, path } of screensOf('admin'))
  asFirstAdmin(name, async ({ page, language, full }) => {
    await page.goto(fillPath(path, await adminValues(full)))
    await waitForScreen(page)
    await examine(page, name.replace('/', '-'), language)
  })
