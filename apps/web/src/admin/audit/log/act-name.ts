import { lookUp, type Translate } from '../../../lib/look-up.ts'

export const actName = (t: Translate, action: string): string =>
  lookUp(t, `auditLog.actions.${action}`) || action
