import { lazy } from 'react'
import { Route, Routes } from 'react-router'
import { HomeScreen } from '../screens/home-screen.tsx'
import { paths } from '../screens/paths.ts'
import { SignInScreen } from '../screens/sign-in-screen.tsx'
import { SignUpScreen } from '../screens/sign-up-screen.tsx'
import { Shell } from './shell.tsx'

const NotFoundScreen = lazy(async () => ({ default: (await import('../screens/not-found-screen.tsx')).NotFoundScreen }))

/** The screens that are prerendered come with the shell; the others are fetched when somebody goes there. */
export const AppRoutes = () => (
  <Routes>
    <Route element={<Shell />}>
      <Route path={paths.home} element={<HomeScreen />} />
      <Route path={paths.signIn} element={<SignInScreen />} />
      <Route path={paths.signUp} element={<SignUpScreen />} />
      <Route path="*" element={<NotFoundScreen />} />
    </Route>
  </Routes>
)
