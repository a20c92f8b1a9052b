import { type Language, setSpeed } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anAccount } from '../../../../test/accounts.ts'
import { bodiesTo, confirm, openDialog, press, retype } from '../../../../test/actions.ts'
import { answer } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { SpeedPanel } from './speed-panel.tsx'

const panel = (accountSpeedLimit: number | null, language: Language = 'en') =>
  show(<SpeedPanel account={anAccount({ accountSpeedLimit })} />, { language })

test.each([
  ['en', 20, 'At most 20 Mbit/s at each server, for download and upload each.'],
  ['fa', 20, 'حداکثر ۲۰ مگابیت بر ثانیه در هر سرور، برای دانلود و آپلود جداگانه.'],
  ['en', null, 'No limit.'],
] as const)('in %s a limit of %s is a sentence', async (language, limit, text) => {
  panel(limit, language)
  expect(await screen.findByText(text)).toBeTruthy()
})

test('a limit is a whole number, and an empty field removes it', async () => {
  answer(setSpeed, ({ accountSpeedLimit }) => anAccount({ accountSpeedLimit }))
  panel(20)
  await press('Change speed')
  const save = async () => (await openDialog()).findByRole('button', { name: 'Save' })
  expect(await save()).toHaveProperty('disabled', true)
  for (const text of ['0', '10001', '1.5', 'fast']) {
    await retype('Maximum Mbit/s', text)
    expect(await save()).toHaveProperty('disabled', true)
  }
  await retype('Maximum Mbit/s', '۵۰')
  await confirm('Save')
  expect(await screen.findByText('The speed of ali_phone was changed.')).toBeTruthy()
  await press('Change speed')
  await retype('Maximum Mbit/s', '')
  await confirm('Save')
  await waitFor(() =>
    expect(bodiesTo(setSpeed)).toMatchObject([{ accountSpeedLimit: 50 }, { accountSpeedLimit: null }]),
  )
})
