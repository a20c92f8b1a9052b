export { anchorAudit, type By, faultOfEnd, findAuditFaults, findBrokenAudit, record } from './chain.ts'
export { checkAuditNow, isAuditSound } from './check.ts'
