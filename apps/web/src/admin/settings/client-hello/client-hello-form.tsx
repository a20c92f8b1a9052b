import {
  type ClientHello,
  getSettings,
  type HelloType,
  hasAlpn,
  helloTypes,
  type Settings,
  setSettings,
} from '@kelid/contract'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { Button } from '../../../ui/button.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useBasis } from '../../kit/basis.ts'
import { AlpnField, FingerprintField } from '../../kit/hello-fields.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Preview } from '../../kit/preview.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import styles from '../prices/prices-form.module.css'

type Hellos = Settings['clientHello']

/** Appears when the form above it, which reads the same settings, has them. */
export function ClientHelloForm() {
  const settings = useRead(getSettings, {})
  if (!settings.data) return null
  const read = async () => (await settings.refetch({ throwOnError: true })).data ?? settings.data
  return <Fields inForce={settings.data.clientHello} read={async () => (await read()).clientHello} />
}

function Fields({ inForce, read }: { inForce: Hellos; read: () => Promise<Hellos> }) {
  const { t } = useTranslation('admin/settings')
  const [edits, setEdits] = useState<Partial<Hellos>>({})
  const [isAsking, setAsking] = useState(false)
  const edited = { ...inForce, ...edits }
  const isChanged = JSON.stringify(edited) !== JSON.stringify(inForce)
  const field = (type: HelloType, name: keyof ClientHello) => ({
    name: `${type}-${name}`,
    value: edited[type][name],
    onValue: (value: string) => setEdits({ ...edits, [type]: { ...edited[type], [name]: value } }),
    error: undefined,
    disabled: false,
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isChanged) setAsking(true)
  }
  return (
    <>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Section title={t('network.hello')}>
          <p>{t('network.helloAbout')}</p>
          {helloTypes.map((type) => (
            <fieldset key={type} className={styles.type}>
              <legend>{t(`vpnTypes.${type}`)}</legend>
              <div className={styles.fields}>
                <FingerprintField field={field(type, 'fingerprint')} hasDefault={false} />
                {hasAlpn(type) && <AlpnField field={field(type, 'alpn')} hasDefault={false} />}
              </div>
            </fieldset>
          ))}
        </Section>
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" icon={adminShapes.check} disabled={!isChanged}>
            {t('network.helloReview')}
          </Button>
          {isChanged && <Button onClick={() => setEdits({})}>{t('prices.undo')}</Button>}
        </div>
      </form>
      {isAsking && (
        <Save
          inForce={inForce}
          edited={edited}
          read={read}
          onSaved={() => setEdits({})}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

interface SaveProps {
  inForce: Hellos
  edited: Hellos
  read: () => Promise<Hellos>
  onSaved: () => void
  onClose: () => void
}

function Save({ inForce, edited, read, onSaved, onClose }: SaveProps) {
  const { t } = useTranslation('admin/settings')
  const save = useAct(setSettings, { refreshes: [getSettings] })
  const { now, previous, readAgain } = useBasis(inForce, read)
  return (
    <ActDialog
      title={t('network.helloSave')}
      confirm={t('network.save')}
      onChanged={readAgain}
      onClose={onClose}
      onConfirm={async () => {
        await save.mutateAsync({ body: { clientHello: edited, basedOn: { clientHello: now } } })
        notify(t('network.helloSaved'), 'success')
        onSaved()
      }}
    >
      <Preview
        previous={previous && <Summary hellos={previous} />}
        now={<Summary hellos={now} />}
        after={<Summary hellos={edited} />}
      />
      <p>{t('network.helloAbout')}</p>
    </ActDialog>
  )
}

function Summary({ hellos }: { hellos: Hellos }) {
  const { t } = useTranslation('admin/settings')
  const { t: tAdmin } = useTranslation('admin')
  return helloTypes.map((type) => (
    <p key={type}>
      {t(`vpnTypes.${type}`)}: <Latin>{hellos[type].fingerprint}</Latin>
      {hasAlpn(type) && ', '}
      {hasAlpn(type) &&
        (hellos[type].alpn === 'none' ? tAdmin('servers.alpnNone') : <Latin>{hellos[type].alpn}</Latin>)}
    </p>
  ))
}
