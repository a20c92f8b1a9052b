import { join } from 'node:path'
import { build } from 'esbuild'
import type { StaticFile } from './static-floor.ts'

/** Paints the lines of the page with React only: no router, words, styles or calls. */
const program = `
  import { createElement } from 'react'
  import { createRoot } from 'react-dom/client'
  const lines = JSON.parse(document.getElementById('lines').textContent)
  const main = createElement('main', null, lines.map((line, index) => createElement('p', { key: index }, line)))
  createRoot(document.getElementById('root')).render(main)
`

const linesOf = (html: string): string[] =>
  html
    .split(/<[^>]*>/)
    .map((line) => line.trim())
    .filter(Boolean)

/** The text of a static page, painted by React: a lower bound for a React client. */
export async function reactAlone(path: string, text: string): Promise<Map<string, StaticFile>> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: join(import.meta.dirname, '../../apps/web') },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const head = text.slice(0, text.indexOf('</title>') + '</title>'.length)
  const lines = JSON.stringify(linesOf(text.slice(head.length))).replaceAll('<', '\\u003c')
  const page = `${head}<div id="root"></div><script type="application/json" id="lines">${lines}</script><script type="module" src="/react.js"></script>`
  return new Map([
    [path, { type: 'text/html; charset=utf-8', text: page }],
    ['/react.js', { type: 'text/javascript', text: outputFiles[0]?.text ?? '' }],
  ])
}
