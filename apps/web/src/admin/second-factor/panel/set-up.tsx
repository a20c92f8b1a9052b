import {
  type Answer,
  confirmSecondFactor,
  getSecondFactor,
  RefusedByServer,
  startSecondFactor,
} from '@kelid/contract'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { copyText } from '../../../shared/copy-text.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { Button } from '../../../ui/button.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { ProofForm } from './proof-form.tsx'
import styles from './second-factor.module.css'

/** Belongs to the reseller's chunk, so it loads only when there is a secret. Without it, the secret is typed. */
const QrImage = lazy(() =>
  import('../../../ui/qr/qr-image.tsx').then(
    (file) => ({ default: file.QrImage }),
    () => ({ default: () => <span /> }),
  ),
)

type Started = Answer<typeof startSecondFactor>

interface Props {
  onCodes: (codes: readonly string[]) => void
  onCancel: () => void
}

const password = { password: '' }
const code = { code: '' }
const qrSide = 200

export function SetUp({ onCodes, onCancel }: Props) {
  const { t } = useTranslation('admin/second-factor')
  const [started, setStarted] = useState<Started>()
  const start = useAct(startSecondFactor)
  const confirm = useAct(confirmSecondFactor, { refreshes: [getSecondFactor] })

  if (!started)
    return (
      <div className={styles.narrow}>
        <p className={styles.quiet}>{t('secondFactor.passwordText')}</p>
        <ProofForm
          key="password"
          call={startSecondFactor}
          initial={password}
          submitLabel={t('secondFactor.next')}
          onProof={async (body) => setStarted(await start.mutateAsync({ body }))}
          onCancel={onCancel}
        />
      </div>
    )
  return (
    <div className={styles.narrow}>
      <AppSecret started={started} />
      <ProofForm
        key="code"
        call={confirmSecondFactor}
        initial={code}
        codeHint={t('secondFactor.appCodeHint')}
        submitLabel={t('secondFactor.confirm')}
        onProof={async (body) => {
          try {
            onCodes((await confirm.mutateAsync({ body })).recoveryCodes)
          } catch (error) {
            if (!(error instanceof RefusedByServer && error.type === 'RESOURCE_NOT_FOUND')) throw error
            notify(t('secondFactor.tooLate'), 'error')
            setStarted(undefined)
          }
        }}
        onCancel={onCancel}
      />
    </div>
  )
}

function AppSecret({ started: { secret, otpauthUrl } }: { started: Started }) {
  const { t } = useTranslation('admin/second-factor')
  async function copy() {
    const isCopied = await copyText(secret)
    notify(t(isCopied ? 'secondFactor.copied' : 'secondFactor.notCopied'), isCopied ? 'success' : 'error')
  }
  return (
    <>
      <p>{t('secondFactor.scan')}</p>
      <div className={styles.qr}>
        <Suspense>
          <QrImage text={otpauthUrl} label={t('secondFactor.qr')} side={qrSide} />
        </Suspense>
      </div>
      <a href={otpauthUrl}>{t('secondFactor.openApp')}</a>
      <p className={styles.quiet}>{t('secondFactor.byHand')}</p>
      <div className={styles.key}>
        <code dir="ltr">{secret.match(/.{1,4}/g)?.join(' ')}</code>
        <Button icon={adminShapes.copy} onClick={() => void copy()}>
          {t('secondFactor.copy')}
        </Button>
      </div>
    </>
  )
}
