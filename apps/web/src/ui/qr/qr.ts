import { looks } from '@kelid/contract'
import { encode } from 'uqr'

const quietZone = 4
const pixelsPerModule = 8

export interface QrShape {
  /** Modules per side, including the quiet zone. */
  readonly size: number
  readonly rows: readonly (readonly boolean[])[]
}

export function qrShape(text: string): QrShape {
  const { data, size } = encode(text, {
    ecc: looks.qrErrorCorrection,
    minVersion: looks.qrVersionMin,
    maxVersion: looks.qrVersionMax,
    boostEcc: false,
    border: quietZone,
  })
  return { size, rows: data }
}

export const qrPath = ({ rows }: QrShape): string =>
  rows
    .map((row, y) => {
      const line = row.map((isDark) => (isDark ? '1' : '0')).join('')
      return [...line.matchAll(/1+/g)]
        .map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`)
        .join('')
    })
    .join('')

/** Whole pixels per module keep all modules equally wide. */
export function qrPng({ size, rows }: QrShape): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size * pixelsPerModule
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  rows.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (isDark) context.fillRect(x * pixelsPerModule, y * pixelsPerModule, pixelsPerModule, pixelsPerModule)
    })
  })
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}
