/** Compressed size of everything that a first visit fetches, fonts included, in KB of 1,024 bytes. */
export const budgetsKB = {
  home: 115,
  forms: 125,
  accounts: 160,
  account: 154,
  admin: 200,
  subscription: 40,
} as const
