import { type Account, newSecret, renewSubscription } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { useIsOnline } from '../../../lib/online.ts'
import { copyText } from '../../../shared/copy-text.ts'
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.tsx'
import { useAct } from '../../../shared/reads/query.ts'
import { shapes } from '../../../shared/shapes.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { putAccount } from '../account-cache.ts'
import styles from './hand-over.module.css'

interface LinkProps {
  label: string
  copyLabel: string
  link: string
  hint?: ReactNode
}

/** The link stays visible for browsers that cannot copy. */
function CopyLink({ label, copyLabel, link, hint }: LinkProps) {
  const { t } = useTranslation('reseller')
  async function copy() {
    const isCopied = await copyText(link)
    notify(t(isCopied ? 'accounts.link.copied' : 'accounts.link.notCopied'), isCopied ? 'success' : 'error')
  }
  return (
    <div className={styles.link}>
      <TextField
        label={label}
        value={link}
        onValue={() => undefined}
        onFocus={(event) => event.target.select()}
        hint={hint}
        readOnly
        isLatin
      />
      <Button icon={shapes.copy} aria-label={copyLabel} title={copyLabel} onClick={() => void copy()}>
        {t('accounts.link.copy')}
      </Button>
    </div>
  )
}

/** The link pins our CA, because no app knows it; some apps ignore the pin. */
const isPinned = /&p(?:cs|inSHA256)=/

export function HandOver({
  account,
  subscriptionUrl,
}: {
  account: Account
  subscriptionUrl: string | undefined
}) {
  const { t } = useTranslation('reseller')
  const isOnline = useIsOnline()
  if (account.accountQRString === '')
    return isOnline ? <Loading mode="skeleton" /> : <p>{t('accounts.link.waitingForNetwork')}</p>
  return (
    <div className={styles.links}>
      <CopyLink
        label={t('accounts.link.config')}
        copyLabel={t('accounts.link.copyConfig')}
        link={account.accountQRString}
        hint={isPinned.test(account.accountQRString) && t('accounts.link.pinned')}
      />
      {subscriptionUrl && (
        <>
          <CopyLink
            label={t('accounts.link.subscription')}
            copyLabel={t('accounts.link.copySubscription')}
            link={subscriptionUrl}
            hint={t('accounts.link.subscriptionHint')}
          />
          <div className={styles.buttons}>
            <ShareButton title={account.accountName} url={subscriptionUrl} />
            <ReplaceLink account={account} />
            <ReplaceKey account={account} />
          </div>
        </>
      )}
    </div>
  )
}

function ShareButton({ title, url }: { title: string; url: string }) {
  const { t } = useTranslation('reseller')
  if (typeof navigator.share !== 'function') return null
  // The call rejects when the user closes the share sheet.
  const share = () => navigator.share({ title, url }).catch(() => undefined)
  return (
    <Button icon={shapes.share} onClick={() => void share()}>
      {t('accounts.link.share')}
    </Button>
  )
}

function ReplaceLink({ account }: { account: Account }) {
  const replace = useAct(renewSubscription)
  return (
    <Replace
      subject="link"
      onReplace={() => replace.mutateAsync({ body: { accountUUID: account.accountUUID } })}
    />
  )
}

function ReplaceKey({ account }: { account: Account }) {
  const replace = useAct(newSecret)
  return (
    <Replace
      subject="key"
      onReplace={() => replace.mutateAsync({ body: { accountUUID: account.accountUUID } })}
    />
  )
}

/** Confirms first, because links that customers already have stop working. */
function Replace({ subject, onReplace }: { subject: 'link' | 'key'; onReplace: () => Promise<Account> }) {
  const { t } = useTranslation('reseller')
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={shapes.renew} onClick={() => setOpen(true)}>
        {t(`accounts.${subject}.replace`)}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={t(`accounts.${subject}.replaceTitle`)}
          text={t(`accounts.${subject}.replaceText`)}
          confirmLabel={t(`accounts.${subject}.replace`)}
          onClose={() => setOpen(false)}
          onConfirm={async () => {
            putAccount(client, await onReplace())
            notify(t(`accounts.${subject}.replaced`), 'success')
          }}
        />
      )}
    </>
  )
}
