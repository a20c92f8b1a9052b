import type { Answer, Call } from '@kelid/contract'
import type { ReactNode } from 'react'
import type { Body } from '../../calls/api.ts'
import { isUnknownCall } from '../../calls/unknown-call.ts'
import { useRead } from '../../shared/reads/query.ts'
import { Loading } from '../../ui/loading/loading.tsx'
import { isMissing, Missing, type MissingWords } from './missing.tsx'
import { Screen } from './screen.tsx'

interface Props<C extends Call> extends MissingWords {
  call: C
  body: Body<C>
  title: string
  children: (thing: Answer<C>) => ReactNode
  /** Shown if the server knows neither the resource nor, perhaps, the call. */
  otherwise?: (missing: ReactNode) => ReactNode
}

export function ReadOne<C extends Call>({ call, body, title, children, otherwise, ...words }: Props<C>) {
  const { data, error, isPending, refetch } = useRead(call, body)
  const failed = error && <Missing {...words} error={error} onRetry={() => void refetch()} />
  if (data !== undefined && !isMissing(error))
    return (
      <>
        {failed}
        {children(data)}
      </>
    )
  const missing = (
    <Screen title={title}>
      {isPending && <Loading mode="skeleton" />}
      {failed}
    </Screen>
  )
  return otherwise && isUnknownCall(error) ? otherwise(missing) : missing
}
