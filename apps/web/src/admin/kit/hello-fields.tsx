import { alpns, fingerprints } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { SelectField } from '../../ui/field.tsx'
import type { BoundField } from './bind.ts'

type Field = Omit<BoundField, 'autoComplete' | 'onBlur'> & { hint?: string }

interface Props {
  field: Field
  /** The settings have no further default. */
  hasDefault?: boolean
}

export function FingerprintField({ field, hasDefault = true }: Props) {
  const { t } = useTranslation('admin')
  return (
    <SelectField
      {...field}
      label={t('servers.fingerprint')}
      hint={field.hint || t('servers.fingerprintHint')}
      options={[
        ...(hasDefault ? [{ value: '', label: t('servers.helloDefault') }] : []),
        ...fingerprints.map((value) => ({ value: value as string, label: value })),
      ]}
    />
  )
}

export function AlpnField({ field, hasDefault = true }: Props) {
  const { t } = useTranslation('admin')
  return (
    <SelectField
      {...field}
      label={t('servers.alpn')}
      hint={field.hint || t('servers.alpnHint')}
      options={[
        ...(hasDefault ? [{ value: '', label: t('servers.helloDefault') }] : []),
        ...alpns.map((value) => ({
          value: value as string,
          label: value === 'none' ? t('servers.alpnNone') : value,
        })),
      ]}
    />
  )
}
