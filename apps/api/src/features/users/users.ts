export {
  findUser,
  findUserByEmail,
  findUserByPhone,
  hasUsers,
  insertUser,
  type LockedUser,
  lockingQuery,
  lockUser,
  lockUserByEmail,
  setPasswordHash,
  type UserRecord,
} from './users.store.ts'
