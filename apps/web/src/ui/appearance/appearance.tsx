import { useTranslation } from 'react-i18next'
import { useStore } from '../../lib/store.ts'
import { Switch } from '../switch.tsx'
import styles from './appearance.module.css'
import { primaryColors, setTheme, themeStore } from './theme.ts'

export function Appearance() {
  const { t } = useTranslation('ui/appearance')
  const { mode, color } = useStore(themeStore)
  return (
    <>
      <Switch
        label={t('settings.darkMode')}
        isOn={mode === 'dark'}
        onChange={(isDark) => setTheme({ mode: isDark ? 'dark' : 'light' })}
      />
      <fieldset className={styles.colors}>
        <legend>{t('settings.primaryColor')}</legend>
        {primaryColors.map((one) => (
          <label key={one} className={styles.color} data-color={one}>
            <input
              type="radio"
              name="color"
              checked={one === color}
              onChange={() => setTheme({ color: one })}
            />
            <span className={styles.dot} aria-hidden="true" />
            {t(`settings.colors.${one}`)}
          </label>
        ))}
      </fieldset>
    </>
  )
}
