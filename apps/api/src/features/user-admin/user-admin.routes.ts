import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { listUsers, setPhone } from '../users/users.ts'
import { clearContact } from './contact.ts'
import { setLevel } from './level.ts'
import { detailOf, setSuspended } from './suspension.ts'

export const userAdminRoutes = [
  bind(contract.getUsers, ({ ctx, input }) => listUsers(ctx, input)),
  bind(contract.getUserDetail, ({ ctx, input }) => detailOf(ctx, input.userEmail)),
  bind(contract.setUserLevel, ({ ctx, by, input }) => setLevel(ctx, by, input)),
  bind(contract.setUserPhone, ({ ctx, by, input }) => setPhone(ctx, by, input)),
  bind(contract.clearUserContact, ({ ctx, by, input }) => clearContact(ctx, by, input)),
  bind(contract.setUserSuspended, ({ ctx, by, input }) => setSuspended(ctx, by, input)),
]
