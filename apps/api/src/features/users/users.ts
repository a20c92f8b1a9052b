export {
  findUser,
  findUserByEmail,
  findUserByPhone,
  hasUsers,
  insertUser,
  lockingQuery,
  lockUser,
  lockUserByEmail,
  setPasswordHash,
  type UserRecord,
} from './users.store.ts'
