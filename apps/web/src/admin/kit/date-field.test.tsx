import type { Language } from '@kelid/contract'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { show } from '../../../test/show.tsx'
import { DateField } from './date-field.tsx'

const changed = vi.fn()
function Form({ initial, withTime }: { initial: string; withTime: boolean }) {
  const [value, setValue] = useState(initial)
  const set = (next: string) => {
    changed(next)
    setValue(next)
  }
  return <DateField label="از" value={value} onValue={set} withTime={withTime} />
}
const open = (initial: string, language: Language = 'fa', withTime = false) => {
  changed.mockClear()
  show(<Form initial={initial} withTime={withTime} />, { language })
}
const choose = async (part: string, name: string) =>
  userEvent.selectOptions(within(screen.getByRole('group', { name: 'از' })).getByLabelText(part), name)

test('a Persian date is selected by day, month and year', async () => {
  open('2026-11-17')
  expect(screen.getByLabelText<HTMLSelectElement>('روز').selectedOptions[0]?.label).toBe('۲۶')
  expect(screen.getByLabelText<HTMLSelectElement>('ماه').selectedOptions[0]?.label).toBe('آبان')
  expect(screen.getByLabelText<HTMLSelectElement>('سال').selectedOptions[0]?.label).toBe('۱۴۰۵')
  await choose('ماه', 'فروردین')
  expect(changed).toHaveBeenLastCalledWith('2026-04-15')
  await choose('روز', '۳۱')
  expect(changed).toHaveBeenLastCalledWith('2026-04-20')
  await choose('ماه', 'مهر')
  expect(changed).toHaveBeenLastCalledWith('2026-10-22')
})

test('the first selection fills the rest with today, and an incomplete date is empty', async () => {
  open('')
  await choose('روز', '۵')
  expect(changed.mock.lastCall?.[0]).toMatch(/^\d{4}-\d\d-\d\d$/)
  await choose('سال', 'سال')
  expect(changed).toHaveBeenLastCalledWith('')
})

test('the time stays when the day changes', async () => {
  open('2026-11-17T08:30', 'fa', true)
  await choose('روز', '۲۷')
  expect(changed).toHaveBeenLastCalledWith('2026-11-18T08:30')
})

test("English uses the browser's own field", () => {
  open('2026-11-17', 'en')
  expect(screen.getByLabelText<HTMLInputElement>('از').type).toBe('date')
})
