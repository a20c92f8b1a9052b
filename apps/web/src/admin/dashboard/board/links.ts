import type { ReactNode } from 'react'
import type { BoardList } from './problems.ts'

/** The screen supplies the link, because it knows the addresses. */
export type LinkTo = (list: BoardList, text: ReactNode) => ReactNode
