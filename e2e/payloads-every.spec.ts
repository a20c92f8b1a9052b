import { sidewaysScroll } from './examine.ts'
import { adminValues } from './hosts.ts'
import { expectHarmless, expectNothingRan, payload, poisonReplies, watch } from './payload.ts'
import { fillPath, screensOf, somePhone } from './screens.ts'
import { waitForScreen } from './see.ts'
import { asFirstAdmin, asFull } from './shared-resellers.ts'
import { expect, test } from './test.ts'
import { rewriteConfig } from './wire.ts'

for (const { name, path } of screensOf('visitor'))
  test(`${name}: the operator's texts do not run`, async ({ page }) => {
    const seen = watch(page)
    await rewriteConfig(page, { brandName: payload, brandContact: payload })
    await page.goto(fillPath(path, { phone: somePhone }))
    await waitForScreen(page)
    await expectNothingRan(page, seen)
  })

/** Shows no reply before a VPN type is selected; payloads.spec.ts selects one. */
const emptyForm = 'reseller/new-account'

for (const { name, path } of screensOf('reseller'))
  asFull(`${name}: texts of replies are shown and do not run`, async ({ page, full }) => {
    const seen = watch(page)
    await poisonReplies(page)
    await page.goto(fillPath(path, { accountUUID: full.disabled.accountUUID }))
    await waitForScreen(page)
    await page.unrouteAll({ behavior: 'wait' })
    if (name === emptyForm) await expectNothingRan(page, seen)
    else await expectHarmless(page, seen)
    expect(await sidewaysScroll(page)).toBe(0)
  })

for (const { name, path } of screensOf('admin'))
  asFirstAdmin(`${name}: texts of replies do not run`, async ({ page, full }) => {
    const seen = watch(page)
    await poisonReplies(page)
    await page.goto(fillPath(path, await adminValues(full)))
    await waitForScreen(page)
    await page.unrouteAll({ behavior: 'wait' })
    await expectNothingRan(page, seen)
    expect(await sidewaysScroll(page)).toBe(0)
  })
