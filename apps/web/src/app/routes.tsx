import type { ComponentType } from 'react'
import { Route, Routes } from 'react-router'
import { loadAllWords } from '../lib/i18n.ts'
import { lazyScreen } from '../lib/lazy-screen.tsx'
import { HomeScreen } from '../screens/home-screen.tsx'
import { paths } from '../screens/paths.ts'
import { Guard } from './guard.tsx'
import { Shell } from './shell.tsx'

/** An area speaks of more than the prerendered pages do: its words come beside it. */
const lazyArea = (load: () => Promise<ComponentType>) =>
  lazyScreen(async () => {
    const [area] = await Promise.all([load(), loadAllWords()])
    return area
  })

/** The forms' own pages bring the words of both; whoever comes from elsewhere needs the rest. */
const isFormPage = () =>
  typeof document !== 'undefined' &&
  [paths.signIn, paths.signUp].some((path) => path === document.documentElement.dataset.page)
const lazyForm = (load: () => Promise<ComponentType>) =>
  lazyScreen(async () => {
    const [form] = await Promise.all([load(), isFormPage() ? undefined : loadAllWords()])
    return form
  })

const SignInScreen = lazyForm(async () => (await import('../screens/sign-in-screen.tsx')).SignInScreen)
const SignUpScreen = lazyForm(async () => (await import('../screens/sign-up-screen.tsx')).SignUpScreen)
const NotFoundScreen = lazyScreen(
  async () => (await import('../screens/not-found-screen.tsx')).NotFoundScreen,
)
const SettingsArea = lazyArea(async () => (await import('./settings-area.tsx')).SettingsArea)
const DashboardArea = lazyArea(async () => (await import('./dashboard-area.tsx')).DashboardArea)
const LoadingGallery = import.meta.env.DEV
  ? lazyScreen(async () => (await import('../screens/dev-loading-screen.tsx')).DevLoadingScreen)
  : NotFoundScreen

/** What the first address needs is asked for at once, beside the words of the language and not after them. */
export function preloadScreen(pathname: string): Promise<unknown> | undefined {
  if (pathname === paths.signIn) return SignInScreen.preload()
  if (pathname === paths.signUp) return SignUpScreen.preload()
  if (pathname.startsWith(paths.settings)) return SettingsArea.preload()
  if (pathname.startsWith(paths.dashboard)) return DashboardArea.preload()
  return undefined
}

/** A visitor's screens come one by one, a reseller's as one area: whoever is signed in uses all of them. */
export const AppRoutes = () => (
  <Routes>
    <Route element={<Shell />}>
      <Route path={paths.home} element={<HomeScreen />} />
      <Route path={paths.signIn} element={<SignInScreen />} />
      <Route path={paths.signUp} element={<SignUpScreen />} />
      <Route path={`${paths.settings}*`} element={<SettingsArea />} />
      <Route
        path={`${paths.dashboard}*`}
        element={
          <Guard>
            <DashboardArea />
          </Guard>
        }
      />
      <Route path={paths.devLoading} element={<LoadingGallery />} />
      <Route path="*" element={<NotFoundScreen />} />
    </Route>
  </Routes>
)
