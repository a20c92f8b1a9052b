import { type Answer, getSecondFactor, newRecoveryCodes, removeSecondFactor } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Section } from '../../kit/section.tsx'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { RequiredSwitch } from './required-switch.tsx'
import styles from './second-factor.module.css'
import { SetUp } from './set-up.tsx'

type State = Answer<typeof getSecondFactor>

const fewCodes = 3

export function SecondFactor() {
  const { t } = useTranslation('admin/second-factor')
  const state = useRead(getSecondFactor, {})
  useReadNotice(state.error, t('secondFactor.failed'))
  const [codes, setCodes] = useState<readonly string[]>()
  const [isSettingUp, setSettingUp] = useState(false)

  if (!state.data) return <ReadState read={state} failed={t('secondFactor.failed')} />
  const { isOn, isRequired } = state.data
  return (
    <>
      <Section title={t('secondFactor.title')}>
        {codes ? (
          <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />
        ) : isSettingUp ? (
          <SetUp
            onCodes={(newCodes) => {
              setSettingUp(false)
              setCodes(newCodes)
            }}
            onCancel={() => setSettingUp(false)}
          />
        ) : isOn ? (
          <SecondFactorOn state={state.data} onCodes={setCodes} />
        ) : (
          <>
            {isRequired && <Warning>{t('secondFactor.isRequired')}</Warning>}
            <p className={styles.quiet}>{t('secondFactor.text')}</p>
            <div>
              <Button kind="primary" onClick={() => setSettingUp(true)}>
                {t('secondFactor.setUp')}
              </Button>
            </div>
          </>
        )}
      </Section>
      {isOn && !codes && !isSettingUp && <RequiredSwitch />}
    </>
  )
}

const proof = { password: '', code: '' }

interface SecondFactorOnProps {
  state: State
  onCodes: (codes: readonly string[]) => void
}

function SecondFactorOn({ state: { since, recoveryCodesLeft, isRequired }, onCodes }: SecondFactorOnProps) {
  const { t } = useTranslation('admin/second-factor')
  const language = useLanguage()
  const [openDialog, setOpenDialog] = useState<'renew' | 'remove'>()
  const renew = useAct(newRecoveryCodes, { refreshes: [getSecondFactor] })
  const remove = useAct(removeSecondFactor, { refreshes: [getSecondFactor] })
  const close = () => setOpenDialog(undefined)
  const acts = {
    renew: async (body: typeof proof) => onCodes((await renew.mutateAsync({ body })).recoveryCodes),
    remove: async (body: typeof proof) => {
      await remove.mutateAsync({ body })
      notify(t('secondFactor.removed'), 'success')
    },
  }
  return (
    <>
      <Facts
        facts={[
          [t('secondFactor.state'), t('secondFactor.on')],
          [t('secondFactor.since'), since && <When date={since} />],
          [t('secondFactor.codesLeft'), formatNumber(recoveryCodesLeft, language)],
        ]}
      />
      {recoveryCodesLeft <= fewCodes && <Warning>{t('secondFactor.fewLeft')}</Warning>}
      <div className={styles.actions}>
        <Button onClick={() => setOpenDialog('renew')}>{t('secondFactor.renew.title')}</Button>
        <Button kind="danger" onClick={() => setOpenDialog('remove')}>
          {t('secondFactor.remove.title')}
        </Button>
      </div>
      {openDialog && (
        <Dialog title={t(`secondFactor.${openDialog}.title`)} onClose={close}>
          <p>{t(`secondFactor.${openDialog}.text`)}</p>
          {openDialog === 'remove' && isRequired && <Warning>{t('secondFactor.removeRequired')}</Warning>}
          <ProofForm
            call={removeSecondFactor}
            initial={proof}
            codeHint={t('secondFactor.codeHint')}
            submitLabel={t(`secondFactor.${openDialog}.title`)}
            kind={openDialog === 'remove' ? 'danger' : 'primary'}
            isInDialog
            onProof={async (body) => {
              await acts[openDialog](body)
              close()
            }}
            onCancel={close}
          />
        </Dialog>
      )}
    </>
  )
}
