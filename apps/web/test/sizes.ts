import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const dist = join(import.meta.dirname, '../dist')

/** The budgets, in KB of 1,024 bytes, of everything a first visit fetches, as it travels. */
const budgets = {
  '/': 115,
  '/settings/login/': 125,
  '/settings/signup/': 125,
} as const
export type MeasuredPage = keyof typeof budgets

export interface Size {
  readonly page: MeasuredPage
  readonly language: 'en' | 'fa'
  readonly bytes: number
  readonly files: number
  readonly budgetBytes: number
}

/** As the server sent it with the usual brand; it grows with the operator's texts. */
const configBytes = 142

const travels = (file: string): number => {
  const path = join(dist, file)
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
}

/** The page, everything it names, and /config.json, which the server makes: a first visit fetches no more. */
export function measurePage(page: MeasuredPage, language: 'en' | 'fa'): Size {
  const name = `${page}index${language === 'en' ? '' : `.${language}`}.html`
  const html = readFileSync(join(dist, name), 'utf8')
  const named = [...html.matchAll(/<(?:link|script)[^>]*?\b(?:href|src)="(\/[^"]+)"/g)].map(
    ([, file = '']) => file,
  )
  const files = [...new Set([name, ...named])]
  const bytes = files.reduce((sum, file) => sum + travels(file), configBytes)
  return { page, language, bytes, files: files.length + 1, budgetBytes: budgets[page] * 1_024 }
}

export const measureAll = (): Size[] =>
  (Object.keys(budgets) as MeasuredPage[]).flatMap((page) => [
    measurePage(page, 'en'),
    measurePage(page, 'fa'),
  ])

/** `npm run sizes -w @kelid/web`, after a build. */
export const printSizes = (): void =>
  console.table(
    measureAll().map(({ page, language, bytes, files, budgetBytes }) => ({
      page,
      language,
      files,
      KB: Number((bytes / 1_024).toFixed(1)),
      budget: budgetBytes / 1_024,
      fits: bytes <= budgetBytes,
    })),
  )
