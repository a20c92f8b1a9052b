import { type Account, looks } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { shapes } from '../../../shared/shapes.ts'
import { Button } from '../../../ui/button.tsx'
import { qrPng, qrShape } from '../../../ui/qr/qr.ts'
import { QrImage } from '../../../ui/qr/qr-image.tsx'
import styles from './qr-code.module.css'

export function QrCode({ account }: { account: Account }) {
  const { t } = useTranslation('reseller')
  const [isLarge, setLarge] = useState(false)
  const { accountName: name, accountQRString: text } = account
  const label = t('accounts.qr.alt', { name })
  if (text === '') return <span className={styles.waiting} />
  return (
    <>
      <button
        type="button"
        className={styles.open}
        title={t('accounts.qr.enlarge')}
        aria-label={t('accounts.qr.enlarge')}
        onClick={() => setLarge(true)}
      >
        <QrImage text={text} label={label} side={looks.qrSize} />
      </button>
      {isLarge && <QrDialog title={name} text={text} label={label} onClose={() => setLarge(false)} />}
    </>
  )
}

interface QrDialogProps {
  title: string
  text: string
  label: string
  onClose: () => void
}

export function QrDialog({ title, text, label, onClose }: QrDialogProps) {
  const { t } = useTranslation('reseller')
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles.large}>
        <QrImage text={text} label={label} side={360} />
        <p>{t('accounts.qr.scan')}</p>
      </div>
    </Dialog>
  )
}

export function DownloadQr({ account }: { account: Account }) {
  const { t } = useTranslation('reseller')
  async function download() {
    const png = await qrPng(qrShape(account.accountQRString))
    if (!png) return
    const address = URL.createObjectURL(png)
    const link = document.createElement('a')
    link.href = address
    link.download = `${account.accountName}.png`
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
    notify(t('accounts.qr.saved', { file: link.download }), 'success')
  }
  return (
    <Button icon={shapes.download} disabled={account.accountQRString === ''} onClick={() => void download()}>
      {t('accounts.qr.download')}
    </Button>
  )
}
