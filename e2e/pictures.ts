import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signIn } from '@kelid/contract'
import { chromium } from '@playwright/test'
import { adminPaths } from '../apps/web/src/admin/paths.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { chromium as executable } from '../scripts/browser.mjs'
import { buildAgent, buildClient } from '../scripts/built.mjs'
import { isRoot } from '../scripts/debian-package.mjs'
import { callAt } from './call.ts'
import { startProduct } from './product/start.ts'

const folder = join(import.meta.dirname, '../docs/pictures')
const pictures = [
  { file: 'reseller.png', email: 'reza.karimi@example.com', path: paths.accounts },
  { file: 'admin.png', email: 'admin@example.com', path: adminPaths.dashboard },
]

buildClient()
buildAgent()
const demo = await startProduct({}, 'demo')
const browser = await chromium.launch({
  executablePath: executable(),
  args: isRoot ? ['--no-sandbox'] : [],
})
try {
  const logins = JSON.parse(await readFile(join(demo.dataDir, 'demo-logins.json'), 'utf8')) as {
    email: string
    password: string
  }[]
  await mkdir(folder, { recursive: true })
  for (const { file, email, path } of pictures) {
    const password = logins.find((login) => login.email === email)?.password ?? ''
    const { token, userLevel } = await callAt(demo.url, {})(signIn, { email, password })
    const items = { 'kelid.language': 'en', 'kelid.session': JSON.stringify({ token, userLevel }) }
    const localStorage = Object.entries(items).map(([name, value]) => ({ name, value }))
    const page = await browser.newPage({
      viewport: { width: 1100, height: 700 },
      reducedMotion: 'reduce',
      storageState: { cookies: [], origins: [{ origin: demo.url, localStorage }] },
    })
    await page.goto(demo.url + path)
    await page.getByRole('table').first().waitFor()
    await page.screenshot({ path: join(folder, file) })
  }
} finally {
  await browser.close()
  await demo.stop()
}
