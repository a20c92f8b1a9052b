import { type DnsProvider, dnsProviders, getDnsProvider, setDnsProvider } from '@kelid/contract'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { TextArea } from '../../kit/text-area.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'
import styles from '../prices/prices-form.module.css'

/** Beside the certificate settings, because credentials are stored apart from them and never shown again. */
export function DnsProviderForm() {
  const { t } = useTranslation('admin/settings')
  const inUse = useRead(getDnsProvider, {})
  if (!inUse.data) return <ReadState read={inUse} failed={t('network.failed')} />
  const { dnsProvider, dnsVariables } = inUse.data
  return <Fields key={dnsProvider} inUse={dnsProvider} variables={dnsVariables} />
}

function Fields({ inUse, variables }: { inUse: string; variables: readonly string[] }) {
  const { t } = useTranslation('admin/settings')
  const ruleText = useRuleText()
  const [provider, setProvider] = useState(inUse)
  const [credentials, setCredentials] = useState('')
  const [isAsking, setAsking] = useState(false)
  const input = { dnsProvider: provider as DnsProvider, dnsCredentials: credentials }
  const { error } = setDnsProvider.input.safeParse({ client: 'web', clientVersion: '1.0', ...input })
  const isReady = credentials !== '' && !error
  const none = inUse === '' ? [{ value: '', label: t('network.choose') }] : []

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isReady) setAsking(true)
  }
  return (
    <>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Section title={t('network.dns')}>
          <p>{t('network.dnsAbout')}</p>
          <p>
            {inUse === '' ? (
              t('network.dnsNone')
            ) : (
              <>
                {t('network.dnsKept')} <Latin>{`${inUse}: ${variables.join(' ')}`}</Latin>
              </>
            )}
          </p>
          <div className={styles.fields}>
            <SelectField
              label={t('network.dnsProvider')}
              value={provider}
              onValue={setProvider}
              options={[...none, ...dnsProviders.map((value) => ({ value, label: value }))]}
              hint={t('network.dnsProviderHint')}
              dir="ltr"
            />
            <TextArea
              label={t('network.dnsCredentials')}
              value={credentials}
              onValue={setCredentials}
              error={credentials === '' || provider === '' ? undefined : ruleText(error?.issues[0]?.message)}
              hint={t('network.dnsCredentialsHint')}
              autoComplete="off"
              spellCheck={false}
              isLatin
            />
          </div>
        </Section>
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" icon={adminShapes.check} disabled={!isReady}>
            {t('network.dnsSave')}
          </Button>
        </div>
      </form>
      {isAsking && <Save input={input} onSaved={() => setCredentials('')} onClose={() => setAsking(false)} />}
    </>
  )
}

interface SaveProps {
  input: { dnsProvider: DnsProvider; dnsCredentials: string }
  onSaved: () => void
  onClose: () => void
}

function Save({ input, onSaved, onClose }: SaveProps) {
  const { t } = useTranslation('admin/settings')
  const save = useAct(setDnsProvider, { refreshes: [getDnsProvider] })
  return (
    <ActDialog
      title={t('network.dnsSaveTitle')}
      confirm={t('network.save')}
      onClose={onClose}
      onConfirm={async () => {
        await save.mutateAsync({ body: input })
        notify(t('network.dnsSaved'), 'success')
        onSaved()
      }}
    >
      <p>
        <Latin>{input.dnsProvider}</Latin>
      </p>
      <p>{t('network.dnsSaveText')}</p>
    </ActDialog>
  )
}
