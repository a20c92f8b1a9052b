import { getUserDetail, getUserSessions, getUsers } from '@kelid/contract'

/** Whatever shows who a user is. */
export const showingUser = [getUserDetail, getUsers, getUserSessions]
