import { createStore } from '../../lib/store.ts'
import { readStored, storageKeys, writeStored } from '../../lib/stored.ts'

export const modes = ['light', 'dark'] as const
export type Mode = (typeof modes)[number]

/** The first is the default: black or white, depending on the mode. */
export const primaryColors = ['default', 'blue', 'green', 'purple'] as const
export type PrimaryColor = (typeof primaryColors)[number]

export interface Theme {
  readonly mode: Mode
  readonly color: PrimaryColor
}

const root = () => document.documentElement

function current(): Theme {
  if (typeof document === 'undefined') return { mode: 'light', color: 'default' }
  const color = readStored(storageKeys.color)
  return {
    mode: root().dataset.mode === 'dark' ? 'dark' : 'light',
    color: primaryColors.find((one) => one === color) ?? 'default',
  }
}

export const themeStore = createStore<Theme>(current())

export function setTheme(change: Partial<Theme>): void {
  const next = { ...themeStore.get(), ...change }
  writeStored(storageKeys.mode, next.mode)
  writeStored(storageKeys.color, next.color)
  root().dataset.mode = next.mode
  root().dataset.color = next.color
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', next.mode === 'dark' ? '#000000' : '#ffffff')
  themeStore.set(next)
}
