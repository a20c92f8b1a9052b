import { matchPath } from 'react-router'
import { paths } from '../lib/paths.ts'

const withSlash: readonly string[] = Object.values(paths).filter((path) => path.endsWith('/'))

/** Links contain the slash, so addresses without it are redirected. */
export const canonicalPath = (pathname: string): string =>
  !pathname.endsWith('/') && withSlash.some((path) => matchPath(path, pathname)) ? `${pathname}/` : pathname
