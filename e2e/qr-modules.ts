import { looks } from '@kelid/contract'
import type { BrowserContext } from '@playwright/test'
import { encode } from 'uqr'

const quietZone = 4

/** The expected modules of a text as rows of 0 and 1, by the specification's level and versions. */
export function modulesOf(text: string): string[] {
  const { data } = encode(text, {
    ecc: looks.qrErrorCorrection,
    minVersion: looks.qrVersionMin,
    maxVersion: looks.qrVersionMax,
    boostEcc: false,
    border: quietZone,
  })
  return data.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join(''))
}

/** The modules in a picture: the colour in the middle of each. */
export async function modulesIn(context: BrowserContext, png: Buffer, size: number): Promise<string[]> {
  const page = await context.newPage()
  const rows = await page.evaluate(
    async ([base64, side]) => {
      const image = new Image()
      image.src = `data:image/png;base64,${base64}`
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      const drawing = canvas.getContext('2d') as CanvasRenderingContext2D
      drawing.drawImage(image, 0, 0)
      const { data } = drawing.getImageData(0, 0, image.width, image.height)
      const at = (index: number) => Math.floor(((index + 0.5) * image.width) / side)
      const isDark = (x: number, y: number) => (data[4 * (at(y) * image.width + at(x))] ?? 0) < 128
      return Array.from({ length: side }, (_, y) =>
        Array.from({ length: side }, (_, x) => (isDark(x, y) ? '1' : '0')).join(''),
      )
    },
    [png.toString('base64'), size] as const,
  )
  await page.close()
  return rows
}
