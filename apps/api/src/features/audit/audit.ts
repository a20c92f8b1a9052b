export {
  type Actor,
  anchorAudit,
  type Detail,
  faultOfEnd,
  findAuditFaults,
  findBrokenAudit,
  record,
} from './chain.ts'
export { checkAuditNow, isAuditSound } from './check.ts'
