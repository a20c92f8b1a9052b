import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { Route, Routes } from 'react-router'
import { configStore } from '../lib/config.ts'
import { loadAllWords } from '../lib/i18n.ts'
import { lazyScreen } from '../lib/lazy-screen.tsx'
import { useStore } from '../lib/store.ts'
import { NotFoundScreen } from '../screens/not-found-screen.tsx'
import { paths } from '../screens/paths.ts'
import { preloadDashboardScreen } from './dashboard-screens.ts'
import { Guard } from './guard.tsx'
import { Shell } from './shell.tsx'

/** An area speaks of more than the prerendered pages do: its words come beside it. */
const lazyArea = (load: () => Promise<ComponentType>) =>
  lazyScreen(async () => {
    const [area] = await Promise.all([load(), loadAllWords()])
    return area
  })

const isPageOf = (...paths: readonly string[]) =>
  typeof document === 'undefined' || paths.includes(document.documentElement.dataset.page ?? '')

/** Prerendered pages bring their own words; whoever comes from elsewhere needs the rest. */
const lazyPage = (load: () => Promise<ComponentType>, ...pages: readonly string[]) =>
  isPageOf(...pages) ? lazyScreen(load) : lazyArea(load)

const HomeScreen = lazyPage(async () => (await import('../screens/home-screen.tsx')).HomeScreen, paths.home)
const forms = [paths.signIn, paths.signUp]
const SignInScreen = lazyPage(
  async () => (await import('../screens/sign-in-screen.tsx')).SignInScreen,
  ...forms,
)
const SignUpScreen = lazyPage(
  async () => (await import('../screens/sign-up-screen.tsx')).SignUpScreen,
  ...forms,
)
const SmsSignIn = lazyArea(async () => (await import('../screens/sms-sign-in.tsx')).SmsSignIn)
const SettingsArea = lazyArea(async () => {
  const area = await import('./settings-area.tsx')
  await area.restored
  return area.SettingsArea
})
const DashboardArea = lazyArea(async () => {
  const area = await import('./dashboard-area.tsx')
  await area.restored
  return area.DashboardArea
})
const LoadingGallery = import.meta.env.DEV
  ? lazyScreen(async () => (await import('../screens/dev-loading-screen.tsx')).DevLoadingScreen)
  : NotFoundScreen

/** Few operators have a gateway: everybody else's visitors are spared the bytes. The built page knows of none. */
function SmsWay() {
  const { smsEnabled } = useStore(configStore)
  const [isTakenOver, setTakenOver] = useState(false)
  useEffect(() => setTakenOver(true), [])
  return smsEnabled && isTakenOver && <SmsSignIn />
}

/** What the first address needs is asked for at once, beside the words of the language and not after them. */
export function preloadScreen(pathname: string): Promise<unknown> | undefined {
  if (pathname === paths.home) return HomeScreen.preload()
  if (pathname === paths.signIn) return SignInScreen.preload()
  if (pathname === paths.signUp) return SignUpScreen.preload()
  if (pathname.startsWith(paths.settings)) return SettingsArea.preload()
  if (pathname.startsWith(paths.dashboard))
    return Promise.all([DashboardArea.preload(), preloadDashboardScreen(pathname)])
  return undefined
}

/** What an area's screens have in common comes once; the screens themselves come one by one. */
export const AppRoutes = () => (
  <Routes>
    <Route element={<Shell />}>
      <Route path={paths.home} element={<HomeScreen />} />
      <Route
        path={paths.signIn}
        element={
          <>
            <SignInScreen />
            <Suspense>
              <SmsWay />
            </Suspense>
          </>
        }
      />
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
