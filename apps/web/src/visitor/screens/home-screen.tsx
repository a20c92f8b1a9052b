import { paths } from '../../lib/paths.ts'
import { Landing } from '../home/landing/landing.tsx'

export const HomeScreen = () => (
  <Landing toSignUp={paths.signUp} toSignIn={paths.signIn} toDashboard={paths.dashboard} />
)
