import { type Answer, checkAudit, getAuditSummary } from '@kelid/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import styles from './soundness.module.css'

type Summary = Answer<typeof getAuditSummary>

const lookAgainMs = 3_000

export function Soundness({ notRefreshed }: { notRefreshed: string }) {
  const { t } = useTranslation('admin/audit')
  const { data, error, isPending, refetch } = useRead(getAuditSummary, {})
  const check = useAct(checkAudit)
  // Date of the check before the requested one; undefined if no check was requested.
  const [before, setBefore] = useState<string | null>()
  const isChecking = before !== undefined && data?.auditCheckedDate === before
  useEffect(() => {
    if (!isChecking) return
    const timer = setInterval(() => void refetch(), lookAgainMs)
    return () => clearInterval(timer)
  }, [isChecking, refetch])

  if (isPending) return <Loading mode="skeleton" size="small" />
  if (!data)
    return <ReadFailed error={error} text={t('auditLog.summaryFailed')} onRetry={() => void refetch()} />
  const ask = () =>
    check.mutate(
      { body: {} },
      { onSuccess: () => setBefore(data.auditCheckedDate), onError: (failure) => notifyError(t, failure) },
    )
  return (
    <div className={styles.line}>
      {error && (
        <ReadFailed
          error={error}
          notice={t('auditLog.summaryFailed')}
          text={notRefreshed}
          onRetry={() => void refetch()}
        />
      )}
      <p className={styles[lookOf(data)]} role="status">
        <Icon shape={data.auditIsSound === false ? adminShapes.alert : adminShapes.done} />
        <span>
          <Verdict summary={data} />
        </span>
      </p>
      {isChecking ? (
        <p className={styles.quiet} role="status">
          {t('auditLog.checking')}
        </p>
      ) : (
        <Button icon={adminShapes.renew} isBusy={check.isPending} onClick={ask}>
          {t('auditLog.check')}
        </Button>
      )}
    </div>
  )
}

const lookOf = ({ auditIsSound }: Summary) =>
  auditIsSound === null ? 'unknown' : auditIsSound ? 'sound' : 'broken'

function Verdict({ summary }: { summary: Summary }) {
  const { t } = useTranslation('admin/audit')
  const language = useLanguage()
  const number = (value: number) => formatNumber(value, language)
  const { auditIsSound, auditBrokenLine, auditEndIsSound, auditCheckedDate, auditCheckedLine } = summary
  const problems = [
    auditBrokenLine !== null && t('auditLog.brokenLine', { line: number(auditBrokenLine) }),
    !auditEndIsSound && t('auditLog.brokenEnd'),
  ].filter((problem) => problem !== false)
  const verdict =
    auditIsSound === null
      ? t('auditLog.unchecked')
      : auditIsSound
        ? t('auditLog.sound', { lines: number(auditCheckedLine ?? 0) })
        : [t('auditLog.unsound'), ...problems].join(' ')
  if (auditCheckedDate === null) return verdict
  const checked = (when: string) => t('auditLog.checked', { line: number(auditCheckedLine ?? 0), when })
  return (
    <>
      {`${verdict} `}
      <When date={auditCheckedDate} sentence={checked} />
    </>
  )
}
