import { matchPath } from 'react-router'
import { paths } from '../lib/paths.ts'

const withSlash: readonly string[] = Object.values(paths).filter((path) => path.endsWith('/'))

/** Both forms of an address answer; the one with the slash is shown, because links compare with it. */
export const canonicalPath = (pathname: string): string =>
  !pathname.endsWith('/') && withSlash.some((path) => matchPath(path, pathname)) ? `${pathname}/` : pathname
