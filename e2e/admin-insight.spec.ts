import { addServer, getActivity, getAudit, getDashboard, getServers } from '@kelid/contract'
import { adminAccountPath, adminPaths, personPath } from '../apps/web/src/admin/paths.ts'
import { examine } from './examine.ts'
import { asAdmin, newReseller } from './people.ts'
import { button, field, heading } from './see.ts'
import { asAdministrator, expect } from './test.ts'
import { holdBack, refuse, rewrite } from './wire.ts'

asAdministrator.use({ contextOptions: { reducedMotion: 'reduce' } })

asAdministrator('an administrator sees what is broken and how the business goes', async ({ page, say, language }) => {
  const seller = await newReseller()
  await seller.account()
  await page.goto(adminPaths.dashboard)
  await expect(heading(page, say('menu.dashboard'))).toBeVisible()
  await expect(heading(page, say('board.business'))).toBeVisible()
  await expect(page.getByRole('img').first()).toBeVisible()
  await examine(page, 'admin-dashboard', language)
})
