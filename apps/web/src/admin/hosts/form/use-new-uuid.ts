import { useRef, useState } from 'react'

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

/** crypto.randomUUID exists only in secure contexts. */
function uuidV4(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes.set([((bytes[6] ?? 0) & 0x0f) | 0x40], 6)
  bytes.set([((bytes[8] ?? 0) & 0x3f) | 0x80], 8)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
