import { lazy } from 'react'
import { Route, Routes } from 'react-router'
import { HomeScreen } from '../screens/home-screen.tsx'
import { paths } from '../screens/paths.ts'
import { Guard } from './guard.tsx'
import { Shell } from './shell.tsx'

const SignInScreen = lazy(async () => ({ default: (await import('../screens/sign-in-screen.tsx')).SignInScreen }))
const SignUpScreen = lazy(async () => ({ default: (await import('../screens/sign-up-screen.tsx')).SignUpScreen }))
const NotFoundScreen = lazy(async () => ({ default: (await import('../screens/not-found-screen.tsx')).NotFoundScreen }))
const SettingsArea = lazy(async () => ({ default: (await import('./settings-area.tsx')).SettingsArea }))
const DashboardArea = lazy(async () => ({ default: (await import('./dashboard-area.tsx')).DashboardArea }))

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
      <Route path="*" element={<NotFoundScreen />} />
    </Route>
  </Routes>
)
