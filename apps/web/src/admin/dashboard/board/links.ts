import type { ReactNode } from 'react'
import type { BoardList } from './problems.ts'

/** A way to the list behind a figure; the screen knows the addresses. */
export type LinkTo = (list: BoardList, text: ReactNode) => ReactNode
