export interface CookieOptions {
  readonly maxAge?: number
  readonly domain?: string
  readonly path?: string
  readonly expires?: Date
  readonly sameSite?: 'strict' | 'lax' | 'none'
}

/** Rejects a semicolon, which would start another option. */
const isPlain = (value: unknown) => typeof value === 'string' && /^[ -:<-~]+$/.test(value)

const isAllowed: Record<keyof CookieOptions, (value: unknown) => boolean> = {
  maxAge: Number.isFinite,
  domain: isPlain,
  path: isPlain,
  expires: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  sameSite: (value) => /^(?:strict|lax|none)$/.test(String(value)),
}

export function cookieText(name: string, value: string, options: CookieOptions): string {
  const parts = Object.entries(options).map(([option, of]) => {
    if (!isAllowed[option as keyof CookieOptions]?.(of))
      throw new TypeError(`The cookie option ${option} is invalid`)
    return `; ${option === 'maxAge' ? 'max-age' : option}=${of instanceof Date ? of.toUTCString() : of}`
  })
  return `${name}=${encodeURIComponent(value)}${parts.join('')}`
}
