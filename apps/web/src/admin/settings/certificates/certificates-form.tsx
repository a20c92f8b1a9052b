import { certificateSources, getSettings, type Settings, setSettings } from '@kelid/contract'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { useRuleText } from '../../kit/use-rule-text.ts'
import styles from '../prices/prices-form.module.css'
import { DnsProviderForm } from './dns-provider-form.tsx'
import { SaveCertificates } from './save-certificates.tsx'

type Certificates = Settings['certificates']

export function CertificatesForm() {
  const { t } = useTranslation('admin/settings')
  const settings = useRead(getSettings, {})
  useReadNotice(settings.error, t('network.failed'))
  if (!settings.data) return <ReadState read={settings} failed={t('network.failed')} />
  const read = async () => (await settings.refetch({ throwOnError: true })).data ?? settings.data
  return <Fields inForce={settings.data.certificates} read={async () => (await read()).certificates} />
}

function brokenRulesOf(certificates: Certificates): Readonly<Record<string, string>> {
  const { error } = setSettings.input.safeParse({ client: 'web', clientVersion: '1.0', certificates })
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [String(path[1]), message]))
}

function Fields({ inForce, read }: { inForce: Certificates; read: () => Promise<Certificates> }) {
  const { t } = useTranslation('admin/settings')
  const ruleText = useRuleText()
  const [edits, setEdits] = useState<Partial<Certificates>>({})
  const [isAsking, setAsking] = useState(false)
  const edited = { ...inForce, ...edits }
  const { source, acmeDirectory, acmeEmail } = edited
  const set = (edit: Partial<Certificates>) => setEdits((before) => ({ ...before, ...edit }))
  // Hidden fields keep their values.
  const body =
    source === 'own'
      ? { ...inForce, source }
      : { source, acmeDirectory: acmeDirectory.trim(), acmeEmail: acmeEmail.trim() }
  const isChanged = JSON.stringify(body) !== JSON.stringify(inForce)
  const errors = brokenRulesOf(body)
  const isReady = isChanged && Object.keys(errors).length === 0
  const text = (name: 'acmeDirectory' | 'acmeEmail') => ({
    value: edited[name],
    onValue: (value: string) => set({ [name]: value }),
    error: ruleText(errors[name]),
    autoComplete: 'off',
    isLatin: true,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isReady) setAsking(true)
  }
  return (
    <>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Section title={t('network.certificates')}>
          <p>{t('network.about')}</p>
          <div className={styles.fields}>
            <SelectField
              label={t('network.source')}
              value={source}
              onValue={(value) => set({ source: value })}
              options={certificateSources.map((value) => ({ value, label: t(`network.sources.${value}`) }))}
              hint={t(`network.sourceText.${source}`)}
            />
            {source !== 'own' && (
              <>
                <TextField
                  {...text('acmeDirectory')}
                  label={t('network.acmeDirectory')}
                  hint={t('network.directoryHint')}
                  inputMode="url"
                />
                <TextField
                  {...text('acmeEmail')}
                  label={t('network.acmeEmail')}
                  hint={t('network.emailHint')}
                  inputMode="email"
                />
              </>
            )}
          </div>
        </Section>
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" icon={adminShapes.check} disabled={!isReady}>
            {t('prices.review')}
          </Button>
          {isChanged && <Button onClick={() => setEdits({})}>{t('prices.undo')}</Button>}
        </div>
      </form>
      {source === 'dns' && <DnsProviderForm />}
      {isAsking && (
        <SaveCertificates
          inForce={inForce}
          edited={body}
          read={read}
          onSaved={() => setEdits({})}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
