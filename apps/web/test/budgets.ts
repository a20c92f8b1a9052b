/** KB of 1,024 bytes of everything a first visit fetches, compressed as it travels, the font included. */
export const budgetsKB = {
  home: 115,
  forms: 125,
  accounts: 160,
  account: 150,
  /** Not held: Persian has the larger font and words. This is what it is, so that it does not grow; see decision 16. */
  accountInPersian: 155,
  admin: 200,
  subscription: 40,
} as const
