import { useRef, useState } from 'react'
import { uuidV4 } from '../../kit/uuid-v4.ts'

/**
 * The UUID of a host that is not there yet. Sent again as it was, the form means the same host; changed after an attempt,
 * which may have succeeded without our hearing of it, it means another.
 */
export function useNewUuid(): [uuid: string, uuidFor: (values: object) => string] {
  const [uuid, setUuid] = useState(uuidV4)
  const sent = useRef<string>(undefined)
  const uuidFor = (values: object): string => {
    const text = JSON.stringify(values)
    const next = sent.current === undefined || sent.current === text ? uuid : uuidV4()
    sent.current = text
    setUuid(next)
    return next
  }
  return [uuid, uuidFor]
}
