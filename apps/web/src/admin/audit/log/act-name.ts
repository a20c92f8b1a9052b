import { lookUp, type Translate } from '../../../lib/look-up.ts'

/** Falls back to the raw action name if it has no translation. */
export const actName = (t: Translate, action: string): string =>
  lookUp(t, `auditLog.actions.${action}`) || action
