import type { Answer, getCompensations } from '@kelid/contract'

export type Compensation = Answer<typeof getCompensations>['items'][number]
