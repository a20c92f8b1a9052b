import { useMemo } from 'react'
import { qrPath, qrShape } from './qr.ts'

/** The code is dark on white in every theme, because inverted codes do not scan. */
export function QrImage({ text, label, side }: { text: string; label: string; side: number }) {
  const shape = useMemo(() => qrShape(text), [text])
  const path = useMemo(() => qrPath(shape), [shape])
  return (
    <svg
      role="img"
      aria-label={label}
      width={side}
      height={side}
      viewBox={`0 0 ${shape.size} ${shape.size}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${shape.size}v${shape.size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
