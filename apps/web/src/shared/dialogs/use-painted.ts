import { useEffect, useState } from 'react'
import { afterPaint } from './painted.ts'

/** The value, a frame behind: for what may follow the answer to a press. */
export function usePainted<T>(value: T): T {
  const [painted, setPainted] = useState(value)
  useEffect(() => afterPaint(() => setPainted(() => value)), [value])
  return painted
}
