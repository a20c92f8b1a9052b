import { looks } from '@kelid/contract'
import { cleanup, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '../../../test/show.tsx'
import { Loading, loadingModes, loadingSizes, loadingVariants } from './loading.tsx'

const indicator = () => document.querySelector<HTMLElement>('[data-mode]') as HTMLElement

test('the default is circular, medium, standard and in the primary colour', () => {
  show(<Loading />)
  expect({ ...indicator().dataset }).toEqual({ mode: 'circular', size: 'medium', variant: 'standard' })
  expect(indicator().className).toContain('primary')
  expect(indicator().style.getPropertyValue('--size')).toBe('40px')
})

test('circles are 24, 40 and 56 across, the bar is 4 high, the skeleton has 3 lines', () => {
  expect(looks.loadingSizes).toEqual({ small: 24, medium: 40, large: 56 })
  for (const size of loadingSizes) {
    show(<Loading size={size} />)
    expect(indicator().style.getPropertyValue('--size')).toBe(`${looks.loadingSizes[size]}px`)
    cleanup()
  }
  show(<Loading mode="linear" />)
  expect(indicator().style.getPropertyValue('--bar-height')).toBe('4px')
  cleanup()
  show(<Loading mode="skeleton" />)
  expect(indicator().querySelectorAll('.skeleton > span')).toHaveLength(3)
})

test('every mode comes in every size and variant, with and without a value', () => {
  for (const mode of loadingModes)
    for (const size of loadingSizes)
      for (const variant of loadingVariants)
        for (const value of [undefined, 42]) {
          show(<Loading mode={mode} size={size} variant={variant} {...(value && { value })} />)
          expect(indicator().className).toContain(variant)
          expect(indicator().getAttribute('aria-label')).toBe('Loading')
          cleanup()
        }
})

test('determinate shows its value, within 0 and 100, in the digits of the language', () => {
  show(<Loading value={42.4} />)
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('42')
  expect(screen.getByText('42%')).toBeTruthy()
  cleanup()
  show(<Loading mode="linear" value={140} />, { language: 'fa' })
  expect(screen.getByRole('progressbar', { name: 'در حال بارگذاری' }).getAttribute('aria-valuenow')).toBe(
    '100',
  )
  expect(indicator().textContent).toMatch(/۱۰۰/)
})

test.each(loadingModes)('%s shows and announces its value', (mode) => {
  show(<Loading mode={mode} value={42} />)
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('42')
  expect(screen.getByText('42%')).toBeTruthy()
})

test('full-screen is a modal dialog above open ones, and Escape does not close it', async () => {
  show(<Loading variant="full-screen" />)
  const dialog = screen.getByRole('dialog') as HTMLDialogElement
  expect(dialog.contains(indicator())).toBe(true)
  dialog.close()
  await expect.poll(() => dialog.open).toBe(true)
})

test('indeterminate has no value, and custom shows its children', () => {
  show(<Loading mode="dots" />)
  expect(screen.getByRole('progressbar').hasAttribute('aria-valuenow')).toBe(false)
  cleanup()
  show(
    <Loading mode="custom" label="Counting">
      <b>one moment</b>
    </Loading>,
  )
  expect(screen.getByRole('status', { name: 'Counting' }).textContent).toBe('one moment')
})
