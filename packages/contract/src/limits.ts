/** Every number of spec.md section 9 and product.md that more than one file needs. */
export const limits = {
  textMax: 35,
  signInTextMax: 50,
  passwordMin: 8,
  daysMin: 1,
  daysMax: 364,
  expiringDays: 7,
  expiryDaysMax: 3_650,
  adminLevelAbove: 5,
  levelMax: 10,
  portMin: 1,
  portMax: 65_535,
  maxAccountsMax: 100_000,
  smsCodeLength: 4,
  phoneMin: 11,
  phoneMax: 15,
  reasonMax: 200,
  contactMax: 100,
  secretTextMax: 128,
  descriptionMax: 500,
  longTextMax: 16_384,
  pageMax: 200,
  bulkMax: 200,
  pointsMax: 1_000_000_000,
  dollarsMax: 1_000_000,
  rateMax: 1_000_000,
  pricePerDayMax: 100_000,
  devicesMax: 100,
  /** In Mbit/s. */
  speedMax: 10_000,
  gigabytesMax: 100_000,
  firstUseDaysMax: 364,
  /** Of the data of an account, or of what a provider lets a host carry: from here on it runs low. */
  lowDataShare: 0.8,
  waysMax: 5,
  plansMax: 100,
  planResellersMax: 200,
  minutesMax: 1_440,
  bodyBytes: 65_536,
  bodyDepth: 8,
  sessionsPerUser: 10,
  sessionDays: 14,
  statementCsvRows: 50_000,
  /** Stored idempotency keys per user, without those of purchases; each lasts 24 hours. */
  keysPerUser: 10_000,
} as const

/** Separate from `limits`, because no browser needs them. */
export const nodeLimits = {
  bodyBytes: 1_048_576,
  accounts: 1_000,
  /** More than twice the largest device limit. */
  devicesOfAccount: 256,
  gone: 4_000,
  /** Characters of an order to cut, and of all those in one report of an agent. */
  portsText: 11_000,
  portsTexts: 500_000,
  moved: 8_192,
  issuerMax: 200,
  detailMax: 200,
  loadMax: 100_000,
} as const

/** How often an owner may clear the abuse of an account. */
export const ownClearings = { times: 3, days: 30 } as const

export const day = 86_400_000

/** Apps of customers count in powers of 1,024 and call them gigabytes, so what is sold must be that too. */
export const gigabyte = 2 ** 30

/** An account that gets its data anew gets it after so many days. */
export const dataPeriodDays = 30

export const isAdminLevel = (level: number): boolean => level > limits.adminLevelAbove
