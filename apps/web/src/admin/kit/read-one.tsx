import type { Answer, Call } from '@kelid/contract'
import type { ReactNode } from 'react'
import type { Body } from '../../calls/api.ts'
import { useRead } from '../../shared/reads/query.ts'
import { Loading } from '../../ui/loading/loading.tsx'
import { isMissing, Missing, type MissingWords } from './missing.tsx'
import { Screen } from './screen.tsx'

interface Props<C extends Call> extends MissingWords {
  call: C
  body: Body<C>
  /** Of the screen while the thing is not there, or never will be. */
  title: string
  children: (thing: Answer<C>) => ReactNode
}

/** A screen about one thing: waiting for it, without it, and with it, though it could not be read again. */
export function ReadOne<C extends Call>({ call, body, title, children, ...words }: Props<C>) {
  const { data, error, isPending, refetch } = useRead(call, body)
  const failed = error && <Missing {...words} error={error} onRetry={() => void refetch()} />
  if (data !== undefined && !isMissing(error))
    return (
      <>
        {failed}
        {children(data)}
      </>
    )
  return (
    <Screen title={title}>
      {isPending && <Loading mode="skeleton" />}
      {failed}
    </Screen>
  )
}
