import { checkRealityTarget } from '@kelid/contract'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { explain } from '../../../calls/explain.ts'
import { brokenRules } from '../../../lib/form.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { TextField } from '../../../ui/field.tsx'
import type { BoundField } from '../../kit/bind.ts'

interface Props {
  field: BoundField
  sni: string
  serverUUID?: string
}

/** Says while the form is filled in whether the site is good enough. */
export function RealityTargetField({ field, sni, serverUUID }: Props) {
  const { t } = useTranslation('admin')
  const [left, setLeft] = useState('')
  const body = {
    serverRealityTarget: left.trim(),
    ...(sni.trim() && { serverSNIAddress: sni.trim() }),
    ...(serverUUID && { serverUUID }),
  }
  const isAsked =
    left !== '' && left === field.value && Object.keys(brokenRules(checkRealityTarget, body)).length === 0
  const check = useRead(checkRealityTarget, body, { isEnabled: isAsked })
  const verdict = (): ReactNode => {
    if (!isAsked) return t('servers.realityTargetHint')
    if (check.isError) return explain(t, check.error).text
    if (!check.data) return t('servers.realityCheck.busy')
    const { targetProblems, usedBy } = check.data
    const lines = [
      ...targetProblems.map((problem) => t(`servers.realityCheck.${problem}`)),
      ...(usedBy.length > 0 ? [t('servers.realityCheck.used', { names: usedBy.join(', ') })] : []),
    ]
    return lines.length > 0 ? lines.join(' ') : t('servers.realityCheck.good')
  }
  return (
    <TextField
      {...field}
      onBlur={() => {
        field.onBlur?.()
        setLeft(field.value)
      }}
      label={t('servers.realityTarget')}
      hint={<span aria-live="polite">{verdict()}</span>}
      isLatin
    />
  )
}
