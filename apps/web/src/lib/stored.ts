/** Local storage may be full, blocked or cleared by another tab. All keys of the product are listed here. */
export const storageKeys = {
  mode: 'kelid.mode',
  color: 'kelid.color',
  direction: 'kelid.direction',
  language: 'kelid.language',
  session: 'kelid.session',
} as const

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // The choice lasts until the page is closed if there is no storage.
  }
}
