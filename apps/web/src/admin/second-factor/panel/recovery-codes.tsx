import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { copyText } from '../../../shared/copy-text.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { saveFile } from '../../../shared/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import styles from './second-factor.module.css'

interface Props {
  codes: readonly string[]
  onKept: () => void
}

/** The server stores only hashes, so the codes cannot be shown again. */
export function RecoveryCodes({ codes, onKept }: Props) {
  const { t } = useTranslation('admin/second-factor')
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const text = `${codes.join('\n')}\n`

  async function copy() {
    const isCopied = await copyText(text)
    notify(t(isCopied ? 'secondFactor.copied' : 'secondFactor.notCopied'), isCopied ? 'success' : 'error')
  }

  return (
    <div className={styles.narrow}>
      <h3 ref={title} tabIndex={-1}>
        {t('secondFactor.codesTitle')}
      </h3>
      <Warning>{t('secondFactor.codesText')}</Warning>
      <ol className={styles.codes} dir="ltr" aria-label={t('secondFactor.codesTitle')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={styles.actions}>
        <Button icon={adminShapes.copy} onClick={() => void copy()}>
          {t('secondFactor.copy')}
        </Button>
        <Button
          icon={adminShapes.download}
          onClick={() => saveFile('recovery-codes.txt', text, 'text/plain;charset=utf-8')}
        >
          {t('secondFactor.download')}
        </Button>
        <Button onClick={() => window.print()}>{t('secondFactor.print')}</Button>
      </div>
      <div>
        <Button kind="primary" icon={adminShapes.check} onClick={onKept}>
          {t('secondFactor.kept')}
        </Button>
      </div>
    </div>
  )
}
