import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { sessionStore } from '../lib/session.ts'
import { useStore } from '../lib/store.ts'
import { paths } from '../screens/paths.ts'

/** Without a session a protected address leads to signing in. */
export const Guard = ({ children }: { children: ReactNode }) =>
  useStore(sessionStore) ? children : <Navigate to={paths.signIn} replace />
