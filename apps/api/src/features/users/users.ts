export {
  findUser,
  findUserByEmail,
  findUserByPhone,
  hasUsers,
  insertUser,
  lockUser,
  lockUserByEmail,
  setPasswordHash,
  type UserRecord,
} from './users.store.ts'
