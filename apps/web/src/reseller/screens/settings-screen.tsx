import { useNavigate } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { Profile } from '../auth/profile/profile.tsx'

export function SettingsScreen() {
  const navigate = useNavigate()
  return <Profile toAccounts={paths.accounts} onSignedOut={() => void navigate(paths.settings)} />
}
