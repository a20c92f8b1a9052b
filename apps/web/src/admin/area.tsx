import { type Finding, type FindingKind, getSecondFactor } from '@kelid/contract'
import i18next from 'i18next'
import { type ComponentType, Suspense } from 'react'
import { matchPath, Navigate, Outlet, Route as RouteAt, Routes, useLocation } from 'react-router'
import { currentLanguage } from '../lib/current-language.ts'
import { lazyScreen } from '../lib/lazy-screen.tsx'
import { loadWords } from '../lib/load-words.ts'
import { useRead } from '../shared/reads/query.ts'
import { NotFoundScreen } from '../ui/not-found-screen.tsx'
import { Waiting } from '../ui/waiting.tsx'
import { Layout } from './layout/layout.tsx'
import { adminAccountPath, adminPaths, personPath, serverPath, tunnelPath } from './paths.ts'
import { type AdminRoute, adminRoutes } from './routes.ts'
import { screens } from './screens.ts'
import { SearchEverywhere } from './search/search-everywhere.tsx'
import { useSecondFactorRequirement } from './second-factor/use-required-meanwhile.ts'

const load = async ({ screen, alsoWords = [] }: AdminRoute): Promise<ComponentType> => {
  const [files] = await Promise.all([screens[screen](), loadWords(i18next, currentLanguage(), alsoWords)])
  const [Screen] = Object.values(files)
  if (!Screen) throw new Error(`admin/screens/${screen}.tsx is no screen`)
  return Screen
}

/** The key is the file, because several addresses may lead to one screen. */
const screenOf = new Map(adminRoutes.map((row) => [row.screen, lazyScreen(() => load(row))]))

// The screen loads while the guard still checks the user.
const firstRoute = adminRoutes.find(({ path }) => matchPath(path, location.pathname))
if (firstRoute)
  screenOf
    .get(firstRoute.screen)
    ?.preload()
    .catch(() => {})

export function Area() {
  const { pathname, search } = useLocation()
  const { data: factor } = useRead(getSecondFactor, {})
  useSecondFactorRequirement()
  const route = (row: AdminRoute) => (
    <RouteAt key={row.path} path={relativePath(row.path)} element={<LoadingScreen row={row} />} />
  )
  if (!pathname.endsWith('/') && adminRoutes.some(({ path }) => path === `${pathname}/`))
    return <Navigate to={`${pathname}/${search}`} replace />
  // The server refuses every other call until a second factor is set up.
  if (factor?.isRequired && !factor.isOn && pathname !== adminPaths.security)
    return <Navigate to={adminPaths.security} replace />
  const [landing, ...rest] = adminRoutes
  return (
    <Routes>
      {landing && <RouteAt element={<Landing />}>{route(landing)}</RouteAt>}
      <RouteAt
        path={relativePath(adminPaths.management)}
        element={<Navigate to={adminPaths.dashboard} replace />}
      />
      <RouteAt element={<Layout search={<SearchEverywhere pathOf={pathOf} />} />}>{rest.map(route)}</RouteAt>
      <RouteAt path="*" element={<NotFoundScreen />} />
    </Routes>
  )
}

const pathsOf: Record<FindingKind, (id: string) => string> = {
  user: personPath,
  account: adminAccountPath,
  server: serverPath,
  tunnel: tunnelPath,
}
const pathOf = ({ kind, id }: Finding) => pathsOf[kind](id)

const Landing = () => (
  <>
    <Outlet />
    <SearchEverywhere pathOf={pathOf} isByKeyAlone />
  </>
)

/** React Router expects paths relative to the area's own row. */
const relativePath = (path: string) => path.slice(adminPaths.home.length)

function LoadingScreen({ row }: { row: AdminRoute }) {
  const Screen = screenOf.get(row.screen)
  return <Suspense fallback={<Waiting title={row.title} />}>{Screen && <Screen />}</Suspense>
}
