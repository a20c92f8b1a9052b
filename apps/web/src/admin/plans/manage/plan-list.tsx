import { deletePlan, getAllPlans, limits, orderPlans, type Plan, setPlanActive } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { formatNumber } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { type Column, DataTable } from '../../kit/data-table.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { PlanDialog } from './plan-dialog.tsx'
import styles from './plans.module.css'

export function PlanList() {
  const { t } = useTranslation('admin/plans')
  const language = useLanguage()
  const read = useRead(getAllPlans, {})
  useReadNotice(read.error, t('plans.failed'))
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<Plan>()
  const [deleted, setDeleted] = useState<Plan>()
  const columns = useColumns({ plans: read.data?.items ?? [], onEdit: setEdited, onDelete: setDeleted })
  if (!read.data) return <ReadState read={read} failed={t('plans.failed')} />
  const plans = read.data.items
  const isFull = plans.length >= limits.plansMax
  return (
    <Section
      title={t('plans.title')}
      actions={
        <Button kind="primary" icon={adminShapes.plus} disabled={isFull} onClick={() => setAdding(true)}>
          {t('plans.add')}
        </Button>
      }
    >
      <p>{t('plans.about')}</p>
      {isFull && <p>{t('plans.full', { shown: formatNumber(limits.plansMax, language) })}</p>}
      {plans.length === 0 ? (
        <p>{t('plans.empty')}</p>
      ) : (
        <DataTable
          label={t('plans.title')}
          columns={columns}
          rows={plans}
          keyOf={({ planUUID }) => planUUID}
        />
      )}
      {isAdding && <PlanDialog onClose={() => setAdding(false)} />}
      {edited && <PlanDialog plan={edited} onClose={() => setEdited(undefined)} />}
      {deleted && <DeletePlan plan={deleted} onClose={() => setDeleted(undefined)} />}
    </Section>
  )
}

interface Acts {
  plans: readonly Plan[]
  onEdit: (plan: Plan) => void
  onDelete: (plan: Plan) => void
}

function useColumns({ plans, onEdit, onDelete }: Acts): readonly Column<Plan>[] {
  const { t } = useTranslation('admin/plans')
  const language = useLanguage()
  const counted = useCounted()
  const nameOf = ({ planNames }: Plan) => planNames[language]
  const contentOf = (plan: Plan) => {
    const { accountDataLimit: data, accountDataReset: reset, accountMaxDevices: devices } = plan
    return [
      t('plans.days', counted(plan.accountDuration)),
      data === null ? t('plans.noLimit') : t(`plans.gigabytes.${reset}`, counted(data)),
      ...(devices === null ? [] : [t('plans.devices', counted(devices))]),
      ...(plan.accountStart === 'firstUse' ? [t('plans.starts.firstUse')] : []),
    ].join(' · ')
  }
  return [
    { title: t('plans.name'), isName: true, cell: (plan) => <bdi>{nameOf(plan)}</bdi> },
    {
      title: t('plans.content'),
      cell: (plan) => (
        <span className={styles.lines}>
          <span>{contentOf(plan)}</span>
          <span className={styles.quiet}>
            {plan.planWays.map(({ accountVPNType }) => t(`vpnTypes.${accountVPNType}`)).join(' + ')}
          </span>
        </span>
      ),
    },
    {
      title: t('plans.price'),
      isNumber: true,
      cell: ({ planPoints, planTunnelCredit }) => (
        <span className={styles.lines}>
          <bdi>{t('plans.points', counted(planPoints))}</bdi>
          {planTunnelCredit > 0 && (
            <span className={styles.quiet}>{t('plans.tunnelCredit', counted(planTunnelCredit))}</span>
          )}
        </span>
      ),
    },
    {
      title: t('plans.seenBy'),
      cell: ({ planForAll, planResellers }) =>
        planForAll ? t('plans.all') : t('plans.chosen', counted(planResellers.length)),
    },
    { title: t('plans.active'), cell: (plan) => <ActiveSwitch plan={plan} name={nameOf(plan)} /> },
    {
      title: t('plans.acts'),
      isActs: true,
      cell: (plan) => (
        <span className={styles.acts}>
          <OrderButtons plans={plans} plan={plan} name={nameOf(plan)} />
          <IconButton
            icon={adminShapes.edit}
            label={t('plans.edit', { name: nameOf(plan) })}
            onClick={() => onEdit(plan)}
          />
          <IconButton
            icon={adminShapes.trash}
            label={t('plans.delete', { name: nameOf(plan) })}
            onClick={() => onDelete(plan)}
          />
        </span>
      ),
    },
  ]
}

function ActiveSwitch({ plan: { planUUID, planActive }, name }: { plan: Plan; name: string }) {
  const { t } = useTranslation('admin/plans')
  const act = useAct(setPlanActive, { refreshes: [getAllPlans] })
  return (
    <Switch
      label={t('plans.sell', { name })}
      isLabelHidden
      isOn={planActive}
      disabled={act.isPending}
      onChange={(isActive) =>
        act.mutate(
          { body: { planUUID, planActive: isActive } },
          {
            onSuccess: () => notify(t(isActive ? 'plans.nowSold' : 'plans.nowEnded', { name }), 'success'),
            onError: (error) => notifyError(t, error),
          },
        )
      }
    />
  )
}

function OrderButtons({ plans, plan, name }: { plans: readonly Plan[]; plan: Plan; name: string }) {
  const { t } = useTranslation('admin/plans')
  const act = useAct(orderPlans, { refreshes: [getAllPlans] })
  const uuids = plans.map(({ planUUID }) => planUUID)
  const at = uuids.indexOf(plan.planUUID)
  const button = (to: number, label: string, icon: typeof adminShapes.up | typeof adminShapes.down) => (
    <IconButton
      icon={icon}
      label={label}
      disabled={act.isPending || to < 0 || to >= uuids.length}
      onClick={() =>
        act.mutate(
          { body: { planUUIDs: uuids.toSpliced(at, 1).toSpliced(to, 0, plan.planUUID) } },
          { onError: (error) => notifyError(t, error) },
        )
      }
    />
  )
  return (
    <>
      {button(at - 1, t('plans.up', { name }), adminShapes.up)}
      {button(at + 1, t('plans.down', { name }), adminShapes.down)}
    </>
  )
}

function DeletePlan({ plan: { planUUID, planNames }, onClose }: { plan: Plan; onClose: () => void }) {
  const { t } = useTranslation('admin/plans')
  const name = planNames[useLanguage()]
  const act = useAct(deletePlan, { refreshes: [getAllPlans] })
  return (
    <ActDialog
      title={t('plans.deleteTitle', { name })}
      confirm={t('plans.deleteConfirm')}
      kind="danger"
      onClose={onClose}
      onConfirm={async () => {
        await act.mutateAsync({ body: { planUUID } })
        notify(t('plans.deleted', { name }), 'success')
      }}
    >
      <p>{t('plans.deleteText')}</p>
    </ActDialog>
  )
}
