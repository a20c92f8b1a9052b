import { getUserDetail, getUserSessions, getUsers } from '@kelid/contract'

export const showingUser = [getUserDetail, getUsers, getUserSessions]
