import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { setContact } from '../users/users.ts'
import * as auth from './auth.ts'
import { signIn } from './sign-in.ts'
import { endSessionsOf, listUserSessions, replacePassword } from './user-access.ts'

export const authRoutes = [
  bind(contract.signIn, ({ ctx, origin, input }) => signIn(ctx, origin, input)),
  bind(contract.signUp, ({ ctx, origin, input }) => auth.signUp(ctx, origin, input)),
  bind(contract.signOut, ({ ctx, caller }) => auth.signOut(ctx, caller)),
  bind(contract.changePassword, ({ ctx, caller, origin, input }) =>
    auth.changePassword(ctx, caller, origin, input),
  ),
  bind(contract.getUser, ({ caller }) => ({
    userEmail: caller.email,
    userLevel: caller.level,
    userPhone: caller.phone,
    userContact: caller.contact,
  })),
  bind(contract.setContact, ({ ctx, caller, input }) => setContact(ctx, caller.userId, input.userContact)),
  bind(contract.getSessions, ({ ctx, caller }) => auth.listSessions(ctx, caller)),
  bind(contract.revokeSession, ({ ctx, caller, input }) => auth.revokeSession(ctx, caller, input.sessionId)),
  bind(contract.getUserSessions, ({ ctx, caller, input }) => listUserSessions(ctx, caller, input.userEmail)),
  bind(contract.endUserSessions, ({ ctx, by, input }) => endSessionsOf(ctx, by, input)),
  bind(contract.resetUserPassword, ({ ctx, by, input }) => replacePassword(ctx, by, input.userEmail)),
]
