import { useRef, useState } from 'react'
import { uuidV4 } from '../../kit/uuid.ts'

/**
 * A retry with the same values reuses the UUID, because the first attempt may have succeeded. Changed values mean
 * another host.
 */
export function useNewUuid(): [uuid: string, uuidFor: (values: object) => string] {
  const [uuid, setUuid] = useState(uuidV4)
  const lastValues = useRef<string>(undefined)
  const uuidFor = (values: object): string => {
    const text = JSON.stringify(values)
    const next = lastValues.current === undefined || lastValues.current === text ? uuid : uuidV4()
    lastValues.current = text
    setUuid(next)
    return next
  }
  return [uuid, uuidFor]
}
