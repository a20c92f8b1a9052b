/** KB of 1,024 bytes of everything a first visit fetches, compressed as it travels, the font included. */
export const budgetsKB = {
  home: 115,
  forms: 125,
  accounts: 160,
  account: 150,
  admin: 200,
  subscription: 40,
} as const
