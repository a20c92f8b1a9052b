import { QueryClientProvider } from '@tanstack/react-query'
import { Route, Routes } from 'react-router'
import { queryClient } from '../lib/query.ts'
import { AccountScreen } from '../screens/account-screen.tsx'
import { AccountsScreen } from '../screens/accounts-screen.tsx'
import { DashboardScreen } from '../screens/dashboard-screen.tsx'
import { NewAccountScreen } from '../screens/new-account-screen.tsx'
import { NotFoundScreen } from '../screens/not-found-screen.tsx'
import { StatementScreen } from '../screens/statement-screen.tsx'

export const DashboardArea = () => (
  <QueryClientProvider client={queryClient}>
    <Routes>
      <Route index element={<DashboardScreen />} />
      <Route path="vpn/accounts" element={<AccountsScreen />} />
      <Route path="vpn/accounts/add" element={<NewAccountScreen />} />
      <Route path="vpn/accounts/:accountUUID" element={<AccountScreen />} />
      <Route path="statement" element={<StatementScreen />} />
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  </QueryClientProvider>
)
