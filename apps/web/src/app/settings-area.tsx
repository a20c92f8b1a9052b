import { QueryClientProvider } from '@tanstack/react-query'
import { Route, Routes } from 'react-router'
import { queryClient } from '../lib/query.ts'
import { NotFoundScreen } from '../screens/not-found-screen.tsx'
import { SettingsScreen } from '../screens/settings-screen.tsx'
import { SmsCheckScreen } from '../screens/sms-check-screen.tsx'

export const SettingsArea = () => (
  <QueryClientProvider client={queryClient}>
    <Routes>
      <Route index element={<SettingsScreen />} />
      <Route path="login/check/:phone" element={<SmsCheckScreen />} />
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  </QueryClientProvider>
)
