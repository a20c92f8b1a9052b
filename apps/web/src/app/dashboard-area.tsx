import { Route, Routes } from 'react-router'
import { NotFoundScreen } from '../screens/not-found-screen.tsx'
import {
  AccountScreen,
  AccountsScreen,
  DashboardScreen,
  NewAccountScreen,
  StatementScreen,
} from './dashboard-screens.ts'
import { Reads, restored } from './reads.tsx'

export { restored }

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
