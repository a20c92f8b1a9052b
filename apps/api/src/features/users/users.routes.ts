import { getUsers, setUserLevel, setUserPhone } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { setLevel } from './level.ts'
import { listUsers, setPhone } from './users.ts'

export const usersRoutes = [
  bind(getUsers, ({ ctx, input }) => listUsers(ctx, input)),
  bind(setUserLevel, ({ ctx, by, input }) => setLevel(ctx, by, input.userEmail, input.value)),
  bind(setUserPhone, ({ ctx, by, input }) => setPhone(ctx, by, input.userEmail, input.userPhone)),
]
