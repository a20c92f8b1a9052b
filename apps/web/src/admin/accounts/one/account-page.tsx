import type { AnyAccount } from '@kelid/contract'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Shape } from '../../../ui/icon.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { StateOfAccount } from '../account-state.tsx'
import { DataLimit, DataUsed, LastSeen } from '../activity.tsx'
import styles from './account-page.module.css'
import { AccountWays } from './account-ways.tsx'
import { ClearAbuseDialog, DeleteDialog, EnabledDialog } from './act-dialogs.tsx'
import { DevicesDialog } from './devices-dialog.tsx'
import { GiftDialog } from './gift-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import type { Places } from './places.ts'
import { ResetDataDialog } from './reset-data-dialog.tsx'
import { SpeedDialog } from './speed-dialog.tsx'

interface Props {
  account: AnyAccount
  paths: Places
  onDeleted: () => void
}

type Act = 'enabled' | 'gift' | 'data' | 'abuse' | 'devices' | 'speed' | 'move' | 'delete'

export function AccountPage({ account, paths, onDeleted }: Props) {
  const { t } = useTranslation('admin')
  const [act, setAct] = useState<Act | null>(null)
  const dialogProps = { account, onClose: () => setAct(null) }
  const button = (name: Act, icon: Shape, text: string) => (
    <Button kind={name === 'delete' ? 'danger' : 'plain'} icon={icon} onClick={() => setAct(name)}>
      {text}
    </Button>
  )
  const { accountEnabled: isEnabled, accountAbuse: isAbused } = account
  return (
    <>
      <Section title={t('adminAccounts.about')}>
        <AccountFacts account={account} paths={paths} />
      </Section>
      {account.accountWays && account.accountWays.length > 1 && (
        <AccountWays ways={account.accountWays} paths={paths} />
      )}
      <Section title={t('adminAccounts.acts')}>
        <div className={styles.buttons}>
          {button('gift', adminShapes.gift, t('adminAccounts.gift.action'))}
          {isAbused
            ? button('abuse', adminShapes.check, t('adminAccounts.clearAbuse.action'))
            : button(
                'enabled',
                isEnabled ? adminShapes.ban : adminShapes.check,
                t(isEnabled ? 'adminAccounts.disable.action' : 'adminAccounts.enable.action'),
              )}
          {button('devices', adminShapes.edit, t('adminAccounts.devices.action'))}
          {button('speed', adminShapes.edit, t('adminAccounts.speed.action'))}
          {account.accountDataLimit !== null &&
            button('data', adminShapes.renew, t('adminAccounts.resetData.action'))}
          {button('move', adminShapes.move, t('adminAccounts.move.action'))}
          {button('delete', adminShapes.trash, t('adminAccounts.delete.action'))}
        </div>
      </Section>
      {act === 'gift' && <GiftDialog {...dialogProps} />}
      {act === 'abuse' && <ClearAbuseDialog {...dialogProps} />}
      {act === 'devices' && <DevicesDialog {...dialogProps} />}
      {act === 'speed' && <SpeedDialog {...dialogProps} />}
      {act === 'enabled' && <EnabledDialog {...dialogProps} />}
      {act === 'data' && <ResetDataDialog {...dialogProps} />}
      {act === 'move' && <MoveDialog {...dialogProps} />}
      {act === 'delete' && <DeleteDialog {...dialogProps} onDeleted={onDeleted} />}
    </>
  )
}

function AccountFacts({ account, paths }: Omit<Props, 'onDeleted'>) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { accountAbuseEvidence: evidence, accountRefusedDevices: refusal, tunnelUUID } = account
  const { accountExpireDate: expires, accountMaxDevices: maxDevices } = account
  const link = (to: string, text: ReactNode) => (
    <Link to={to} className={styles.link}>
      {text}
    </Link>
  )
  return (
    <Facts
      facts={[
        [
          t('adminAccounts.owner'),
          link(paths.person(account.userEmail), <bdi dir="ltr">{account.userEmail}</bdi>),
        ],
        [t('adminAccounts.state'), <StateOfAccount key="state" account={account} />],
        [
          t('adminAccounts.evidence'),
          evidence && (
            <When
              date={evidence.seenDate}
              sentence={(when) =>
                t('adminAccounts.seen', {
                  count: evidence.devices,
                  shown: formatNumber(evidence.devices, language),
                  when,
                })
              }
            />
          ),
        ],
        [
          t('adminAccounts.refused'),
          refusal && (
            <When
              date={refusal.sinceDate}
              sentence={(when) =>
                t('adminAccounts.refusedText', {
                  refused: formatNumber(refusal.refused, language),
                  devices: formatNumber(refusal.devices, language),
                  when,
                })
              }
            />
          ),
        ],
        [
          t('adminAccounts.maxDevices'),
          maxDevices === null ? t('adminAccounts.devices.default') : formatNumber(maxDevices, language),
        ],
        [
          t('adminAccounts.speedLimit'),
          account.accountSpeedLimit === null
            ? t('adminAccounts.speed.none')
            : t('adminAccounts.speed.value', { speed: formatNumber(account.accountSpeedLimit, language) }),
        ],
        [
          t('adminAccounts.expires'),
          <span key="expires">
            <bdi>{formatDate(expires, language)}</bdi> · <When date={expires} />
          </span>,
        ],
        [
          t('adminAccounts.begins'),
          account.accountStartBy &&
            t('adminAccounts.firstUse', { date: formatDate(account.accountStartBy, language) }),
        ],
        [
          t('adminAccounts.plan'),
          account.accountPlan && <bdi key="plan">{account.accountPlan.planName}</bdi>,
        ],
        [t('adminAccounts.data'), <DataLimit key="data" account={account} />],
        [t('adminAccounts.type'), t(`vpnTypes.${account.accountVPNType}`)],
        [t('adminAccounts.server'), link(paths.server(account.serverUUID), <bdi>{account.serverName}</bdi>)],
        [
          t('adminAccounts.tunnel'),
          tunnelUUID && link(paths.tunnel(tunnelUUID), <bdi>{account.tunnelName}</bdi>),
        ],
        [
          t('adminAccounts.target'),
          [account.accountTargetOperator, account.accountTargetCountry].filter(Boolean).join(' · '),
        ],
        [t('adminAccounts.used'), <DataUsed key="used" account={account} />],
        [t('adminAccounts.lastSeen'), <LastSeen key="seen" account={account} />],
        [t('adminAccounts.applied'), t(`adminAccounts.appliedStates.${account.accountApplied}`)],
        [t('adminAccounts.created'), <When key="created" date={account.accountCreatedDate} />],
        [
          t('adminAccounts.uuid'),
          <bdi key="uuid" dir="ltr">
            {account.accountUUID}
          </bdi>,
        ],
      ]}
    />
  )
}
