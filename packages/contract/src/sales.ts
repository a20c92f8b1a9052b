import * as z from 'zod/mini'
import { defineCall, one } from './call.ts'

export const getSales = defineCall({
  path: '/api/v1/accounts/getsales',
  access: 'user',
  summary:
    'What you bought in the last 30 days, today included, and what a day and a GB cost on average; a day is 86,400 seconds from midnight UTC',
  input: {},
  output: one(
    z.object({
      /** By what was paid, largest first. Free purchases leave no entry to count. */
      salesByPlan: z.array(
        z.object({
          /** null: without a plan. */
          planName: z.nullable(z.string()),
          /** New accounts, renewals, and data added. */
          purchases: z.number(),
          points: z.number(),
        }),
      ),
      /** The points of all purchases with days, divided by those days; null without any. */
      pointsPerDay: z.nullable(z.number()),
      /** The points of all purchases with GB, divided by those GB; null without any. */
      pointsPerGB: z.nullable(z.number()),
    }),
  ),
})
