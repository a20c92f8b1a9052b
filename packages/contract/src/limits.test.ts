import { expect, test } from 'vitest'
import { fallbackLanguage, languages } from './constants/languages.ts'
import { languageLoading, looks, timings } from './constants/looks.ts'
import { day, isAdminLevel, limits } from './limits.ts'

test('the numbers of spec.md section 9', () => {
  expect(timings).toEqual({
    notificationMs: 6000,
    afterSignInMs: 1000,
    afterCreateMs: 2000,
    afterSignUpMs: 2000,
    afterSmsCheckMs: 3000,
    chunkTimeoutMs: 120_000,
  })
  expect(limits).toMatchObject({
    textMax: 35,
    signInTextMax: 50,
    passwordMin: 8,
    daysMin: 1,
    daysMax: 364,
    adminLevelAbove: 5,
    smsCodeLength: 4,
    phoneMin: 11,
    phoneMax: 15,
  })
  expect(looks).toEqual({
    qrSize: 128,
    qrErrorCorrection: 'L',
    qrVersionMin: 1,
    qrVersionMax: 40,
    logBoxMaxHeight: 200,
    loadingSizes: { small: 24, medium: 40, large: 56 },
    loadingBarHeight: 4,
    loadingSkeletonLines: 3,
  })
  expect(languages).toEqual(expect.arrayContaining(['en', 'fa']))
  expect(fallbackLanguage).toBe('en')
  expect(languageLoading).toEqual({
    maxParallelReads: 10,
    maxRetries: 5,
    retryTimeoutMs: 350,
    cookieMinutes: 10,
  })
})

test('the numbers of quality.md', () => {
  expect(limits).toMatchObject({
    portMin: 1,
    portMax: 65_535,
    maxAccountsMax: 100_000,
    bodyBytes: 64 * 1024,
    sessionsPerUser: 10,
    sessionDays: 14,
  })
  expect(day).toBe(86_400 * 1000)
})

test('administrators are above level 5', () => {
  expect([-1, 5, Number.NaN, 5.5, 6].map(isAdminLevel)).toEqual([false, false, false, true, true])
})
