export {
  anchorAudit,
  type By,
  type Detail,
  faultOfEnd,
  findAuditFaults,
  findBrokenAudit,
  record,
} from './chain.ts'
export { checkAuditNow, isAuditSound } from './check.ts'
