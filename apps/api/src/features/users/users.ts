export {
  findUser,
  findUserByEmail,
  findUserByPhone,
  hasUsers,
  insertUser,
  type LockedUser,
  lockUser,
  lockUserByEmail,
  setPasswordHash,
  type UserRecord,
} from './users.store.ts'
