export interface Month {
  readonly from: Date
  readonly until: Date
}

/** Months without that day begin on their last. */
function beginIn(year: number, month: number, day: number): Date {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(day, last)))
}

/** The month of a provider that holds `now`. It begins at midnight UTC, because bytes are counted by UTC day. */
export function providerMonth(day: number, now: Date): Month {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const begin = beginIn(year, month, day)
  return begin <= now
    ? { from: begin, until: beginIn(year, month + 1, day) }
    : { from: beginIn(year, month - 1, day), until: begin }
}
