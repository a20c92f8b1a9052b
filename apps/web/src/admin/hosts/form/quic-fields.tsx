import { useTranslation } from 'react-i18next'
import { TextField } from '../../../ui/field.tsx'
import type { BoundField } from '../../kit/bind.ts'
import { Choice } from './choice.tsx'

interface Props {
  obfuscated: BoundField
  hopPorts: BoundField
  /** Instead of the usual hint. */
  obfuscatedNote?: string | undefined
}

/** Only for servers over QUIC. */
export function QuicFields({ obfuscated, hopPorts, obfuscatedNote }: Props) {
  const { t } = useTranslation('admin')
  return (
    <>
      <Choice
        field={obfuscated}
        label={t('servers.obfuscated')}
        hint={obfuscatedNote ?? t('servers.obfuscatedHint')}
      />
      <TextField {...hopPorts} label={t('servers.hopPorts')} hint={t('servers.hopPortsHint')} isLatin />
    </>
  )
}
