import type { HostKind } from '@kelid/contract'
import type { ReactNode } from 'react'
import type { BoardList } from './problems.ts'

/** The screen supplies the link, because it knows the addresses. */
export type LinkTo = (list: BoardList, text: ReactNode) => ReactNode
/** `opens`: the dialog that the link opens there. */
export type LinkToHost = (kind: HostKind, uuid: string, name: ReactNode, opens?: 'replace') => ReactNode
