import { type Answer, type Call, RefusedByServer } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Body } from '../../calls/api.ts'
import { explain } from '../../calls/explain.ts'
import { isUnknownCall } from '../../calls/unknown-call.ts'
import { useRead } from '../../shared/reads/query.ts'
import { ReadFailed } from '../../shared/reads/read-failed.tsx'
import { Loading } from '../../ui/loading/loading.tsx'
import { Screen } from './screen.tsx'

interface Props<C extends Call> {
  call: C
  body: Body<C>
  /** Of the screen while the thing is not there, or never will be. */
  title: string
  children: (thing: Answer<C>) => ReactNode
  /** Instead of it, for a server that does not know the call or the thing. */
  otherwise?: ReactNode
}

/** A screen about one thing: waiting for it, without it, and with it, though it could not be read again. */
export function ReadOne<C extends Call>({ call, body, title, children, otherwise }: Props<C>) {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useRead(call, body)
  const isGone = error instanceof RefusedByServer && error.type === 'RESOURCE_NOT_FOUND'
  const failed = error && <ReadFailed text={explain(t, error).text} onRetry={() => void refetch()} />
  if (data !== undefined && !isGone)
    return (
      <>
        {failed}
        {children(data)}
      </>
    )
  if (otherwise && isUnknownCall(error)) return otherwise
  return (
    <Screen title={title}>
      {isPending && <Loading mode="skeleton" />}
      {failed}
    </Screen>
  )
}
