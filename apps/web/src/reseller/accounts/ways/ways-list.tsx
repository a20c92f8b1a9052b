import type { Account } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { QrDialog } from '../detail/qr-code.tsx'
import { StateLabel } from '../state-mark.tsx'
import styles from './ways-list.module.css'

type Way = NonNullable<Account['accountWays']>[number]

/** The preferred way comes first. */
export function WaysList({ name, ways }: { name: string; ways: readonly Way[] }) {
  const { t } = useTranslation('reseller')
  const [open, setOpen] = useState<Way | null>(null)
  const nameOf = ({ accountVPNType, accountTunnelType, server }: Way) =>
    [
      server.country.countryName,
      t(`vpnTypes.${accountVPNType}`),
      accountTunnelType && t(`accounts.tunnelTypes.${accountTunnelType}`),
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <>
      <p className={styles.text}>{t('accounts.ways.text')}</p>
      <ol className={styles.ways}>
        {ways.map((way) => (
          <li key={way.accountQRString}>
            <div>
              <p>{nameOf(way)}</p>
              <p className={styles.text}>
                {way.wayLastSeenDate ? (
                  <When date={way.wayLastSeenDate} sentence={(when) => t('accounts.usage.seen', { when })} />
                ) : (
                  t('accounts.usage.never')
                )}
              </p>
              {way.wayDown && <StateLabel state="expired" label={t('accounts.ways.down')} />}
            </div>
            <Button onClick={() => setOpen(way)}>{t('accounts.ways.qr')}</Button>
          </li>
        ))}
      </ol>
      {open && (
        <QrDialog
          title={`${name} · ${nameOf(open)}`}
          text={open.accountQRString}
          label={t('accounts.qr.alt', { name })}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}
