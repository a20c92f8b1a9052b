import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { budgetsKB } from './budgets.ts'

const dist = join(import.meta.dirname, '../dist')

const budgets = {
  '/': budgetsKB.home,
  '/settings/login/': budgetsKB.forms,
  '/settings/signup/': budgetsKB.forms,
} as const
export type MeasuredPage = keyof typeof budgets

export interface Size {
  readonly page: MeasuredPage
  readonly language: 'en' | 'fa'
  readonly bytes: number
  readonly files: number
  readonly budgetBytes: number
}

/** About what the server's config adds to a page, compressed; it grows with the operator's texts. */
const configBytes = 120

const travels = (file: string): number => {
  const path = join(dist, file)
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
}

/** The page and everything it names: a first visit fetches no more. */
export function measurePage(page: MeasuredPage, language: 'en' | 'fa'): Size {
  const name = `${page}index${language === 'en' ? '' : `.${language}`}.html`
  const html = readFileSync(join(dist, name), 'utf8')
  const named = [...html.matchAll(/<(?:link|script)[^>]*?\b(?:href|src)="(\/[^"]+)"/g)].map(
    ([, file = '']) => file,
  )
  const files = [...new Set([name, ...named])]
  const bytes = files.reduce((sum, file) => sum + travels(file), configBytes)
  return { page, language, bytes, files: files.length, budgetBytes: budgets[page] * 1_024 }
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
