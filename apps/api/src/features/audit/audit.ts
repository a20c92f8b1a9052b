export {
  type Actor,
  anchorAudit,
  type Detail,
  faultOfEnd,
  findAuditFaults,
  findBrokenAudit,
  productActor,
  record,
} from './chain.ts'
export { checkAuditNow, isAuditSound } from './check.ts'
