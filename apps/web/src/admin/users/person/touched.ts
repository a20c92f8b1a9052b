import { getUserDetail, getUserSessions, getUsers } from '@kelid/contract'

export const userReads = [getUserDetail, getUsers, getUserSessions]
