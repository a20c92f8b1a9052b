import i18next from 'i18next'
import { type ComponentType, Suspense } from 'react'
import { matchPath, Navigate, Route as RouteAt, Routes } from 'react-router'
import { currentLanguage } from '../lib/current-language.ts'
import { lazyScreen } from '../lib/lazy-screen.tsx'
import { loadWords } from '../lib/load-words.ts'
import { paths } from '../lib/paths.ts'
import { sessionStore } from '../lib/session.ts'
import { useStore } from '../lib/store.ts'
import { NotFoundScreen } from '../ui/not-found-screen.tsx'
import { Waiting } from '../ui/waiting.tsx'
import { AdminEntryPart } from './admin-entry.tsx'
import { type Area, hasReads } from './areas.ts'
import { type Route, routes, type ScreenOf, wordsOf } from './routes.ts'
import { Shell } from './shell.tsx'

type Files<Name extends string> = Record<Name, () => Promise<Record<string, ComponentType>>>

/** Only users who enter an area download the names of its files. */
const filesOf: { [A in Area]: () => Promise<Files<ScreenOf<A>>> } = {
  visitor: async () => ({
    'home-screen': () => import('../visitor/screens/home-screen.tsx'),
    'settings-screen': () => import('../visitor/screens/settings-screen.tsx'),
    'sign-in-screen': () => import('../visitor/screens/sign-in-screen.tsx'),
    'sign-up-screen': () => import('../visitor/screens/sign-up-screen.tsx'),
    'sms-check-screen': () => import('../visitor/screens/sms-check-screen.tsx'),
  }),
  reseller: async () => (await import('../reseller/screens.ts')).screens,
  admin: async () => ({ 'admin-screen': () => import('../admin/screens/admin-screen.tsx') }),
}

async function loadFile({ area, screen }: Route): Promise<ComponentType> {
  const files: Partial<Files<string>> = await filesOf[area]()
  const [Screen] = Object.values((await files[screen]?.()) ?? {})
  if (!Screen) throw new Error(`${area}/screens/${screen}.tsx is no screen`)
  return Screen
}

async function loadScreen(route: Route): Promise<ComponentType> {
  const [Screen, reads] = await Promise.all([
    loadFile(route),
    hasReads(route.area) ? import('../shared/reads/reads.tsx') : null,
    loadWords(i18next, currentLanguage(), wordsOf(route)),
  ])
  if (!reads) return Screen
  await reads.restored
  return () => (
    <reads.Reads>
      <AdminEntryPart is="offer" />
      <Screen />
    </reads.Reads>
  )
}

const screens = new Map(routes.map((route) => [route, lazyScreen(() => loadScreen(route))]))

/** The server checks levels, so the client checks only the session. */
const mayOpen = ({ access }: Route, isSignedIn: boolean) => access === 'anyone' || isSignedIn

const routesAt = (path: string) => routes.filter((route) => route.path === path)
/** Unlike React Router, `find` takes the first match, so paths without parameters come first. */
const byPrecision = routes.toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)

/** Loads the first screen before hydration, so that no placeholder flashes. */
export function preloadScreen(pathname: string): Promise<unknown> | undefined {
  const isSignedIn = sessionStore.get() !== null
  const route = byPrecision.find((one) => matchPath(one.path, pathname) && mayOpen(one, isSignedIn))
  return route && screens.get(route)?.preload()
}

export function Guarded({ path }: { path: string }) {
  const isSignedIn = useStore(sessionStore) !== null
  const route = routesAt(path).find((one) => mayOpen(one, isSignedIn))
  const Screen = route && screens.get(route)
  if (!Screen) return <Navigate to={paths.signIn} replace />
  return (
    <Suspense key={route.area} fallback={<Waiting title={route.title} />}>
      <Screen />
    </Suspense>
  )
}

const LoadingGallery =
  import.meta.env.DEV && lazyScreen(async () => (await import('./dev-loading-screen.tsx')).DevLoadingScreen)

export const AppRoutes = () => (
  <Routes>
    <RouteAt element={<Shell />}>
      {[...new Set(routes.map(({ path }) => path))].map((path) => (
        <RouteAt key={path} path={path} element={<Guarded path={path} />} />
      ))}
      {LoadingGallery && <RouteAt path="/dev/loading" element={<LoadingGallery />} />}
      <RouteAt path="*" element={<NotFoundScreen />} />
    </RouteAt>
  </Routes>
)
