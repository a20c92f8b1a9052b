import { lookUp, type Translate } from '../../../lib/look-up.ts'

/** An act in words; one that has none is shown by its own name. */
export const actName = (t: Translate, action: string): string =>
  lookUp(t, `auditLog.actions.${action}`) || action
