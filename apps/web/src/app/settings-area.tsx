import { Route, Routes } from 'react-router'
import { NotFoundScreen } from '../screens/not-found-screen.tsx'
import { SettingsScreen } from '../screens/settings-screen.tsx'
import { SmsCheckScreen } from '../screens/sms-check-screen.tsx'
import { Reads, restored } from './reads.tsx'

export { restored }

export const SettingsArea = () => (
  <Reads>
    <Routes>
      <Route index element={<SettingsScreen />} />
      <Route path="login/check/:phone" element={<SmsCheckScreen />} />
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  </Reads>
)
