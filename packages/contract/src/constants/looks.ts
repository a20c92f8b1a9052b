/** Separate from the contract, because every page needs it. */
export const timings = {
  notificationMs: 6_000,
  afterSignInMs: 1_000,
  afterCreateMs: 2_000,
  afterSignUpMs: 2_000,
  afterSmsCheckMs: 3_000,
  chunkTimeoutMs: 120_000,
} as const

export const looks = {
  qrSize: 128,
  qrErrorCorrection: 'L',
  qrVersionMin: 1,
  qrVersionMax: 40,
  logBoxMaxHeight: 200,
  loadingSizes: { small: 24, medium: 40, large: 56 },
  loadingBarHeight: 4,
  loadingSkeletonLines: 3,
} as const

export const languageLoading = {
  maxParallelReads: 10,
  maxRetries: 5,
  retryTimeoutMs: 350,
  cookieMinutes: 10,
} as const
