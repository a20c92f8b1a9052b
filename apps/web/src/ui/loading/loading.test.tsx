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

test.each(loadingModes)('%s comes in every size and variant, and shows and announces its value', (mode) => {
  for (const size of loadingSizes)
    for (const variant of loadingVariants) {
      show(<Loading mode={mode} size={size} variant={variant} value={42} />)
      expect(indicator().className).toContain(variant)
      expect(screen.getByRole('progressbar', { name: 'Loading' }).getAttribute('aria-valuenow')).toBe('42')
      expect(screen.getByText('42%')).toBeTruthy()
      cleanup()
    }
})

test('determinate shows its value, within 0 and 100, in the digits of the language', () => {
  show(<Loading value={42.4} />)
  expect(screen.getByText('42%')).toBeTruthy()
  cleanup()
  show(<Loading mode="linear" value={140} />, { language: 'fa' })
  expect(screen.getByRole('progressbar', { name: 'در حال بارگذاری' }).getAttribute('aria-valuenow')).toBe(
    '100',
  )
  expect(indicator().textContent).toMatch(/۱۰۰/)
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
