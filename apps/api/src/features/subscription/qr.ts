import { encode } from 'uqr'
import { type Html, html } from '../../lib/html.ts'

const quietZone = 4
const smallestSide = 256

/** Always black on white with a quiet zone: inverted codes do not scan. */
export const qrSvg = (text: string, name: string): Html => {
  const { data, size } = encode(text, { ecc: 'L', border: quietZone })
  const rows = data.map((row, y) => {
    const runs = [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ]
    return runs.map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`).join('')
  })
  // Whole pixels per module, so that all modules are equally wide.
  const side = Math.ceil(smallestSide / size) * size
  return html`<svg class="code" role="img" aria-label="${name}" width="${side}" height="${side}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${rows.join('')}"/></svg>`
}
