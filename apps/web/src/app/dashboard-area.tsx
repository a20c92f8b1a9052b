import { Route, Routes } from 'react-router'
import { AccountScreen } from '../screens/account-screen.tsx'
import { AccountsScreen } from '../screens/accounts-screen.tsx'
import { DashboardScreen } from '../screens/dashboard-screen.tsx'
import { NewAccountScreen } from '../screens/new-account-screen.tsx'
import { NotFoundScreen } from '../screens/not-found-screen.tsx'
import { StatementScreen } from '../screens/statement-screen.tsx'
import { Reads } from './reads.tsx'

export const DashboardArea = () => (
  <Reads>
    <Routes>
      <Route index element={<DashboardScreen />} />
      <Route path="vpn/accounts" element={<AccountsScreen />} />
      <Route path="vpn/accounts/add" element={<NewAccountScreen />} />
      <Route path="vpn/accounts/:accountUUID" element={<AccountScreen />} />
      <Route path="statement" element={<StatementScreen />} />
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  </Reads>
)
