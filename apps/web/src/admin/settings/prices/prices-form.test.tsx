import { defaultSettings, getSettings, type Settings, setSettings, vpnTypes } from '@kelid/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  bodiesTo,
  isDisabled,
  lastBodyTo,
  openDialog,
  press,
  retype,
  user,
} from '../../../../test/actions.ts'
import { answer, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import shared from '../../../shared/words/en.json' with { type: 'json' }
import { isTyped, priceNames } from '../setting-text.ts'
import words from '../words/en.json' with { type: 'json' }
import { PricesForm } from './prices-form.tsx'

const inForce = (settings: Settings = defaultSettings) => answer(getSettings, () => settings)

test('only changes are sent, after a confirmation with old and new values', async () => {
  inForce()
  answer(setSettings, () => defaultSettings)
  show(<PricesForm />)
  await retype('Points per day, Trojan, through a tunnel', '12')
  await user.selectOptions(screen.getByLabelText('Renewal'), 'replace')
  expect(screen.getByText(/becomes the number entered/)).toBeTruthy()
  expect(screen.getByText('2 changes, not saved')).toBeTruthy()
  await press('Review changes')
  const dialog = await openDialog()
  expect(
    await dialog.findByRole('heading', { name: 'Points per day, Trojan, through a tunnel' }),
  ).toBeTruthy()
  expect(dialog.getByText('12')).toBeTruthy()
  expect(dialog.getByText('Adds days')).toBeTruthy()
  expect(dialog.getByText('Replaces remaining days')).toBeTruthy()
  expect(bodiesTo(setSettings)).toEqual([])
  await press('Save changes')
  expect(await screen.findByText('The prices and rules were saved.')).toBeTruthy()
  expect(lastBodyTo(setSettings)).toEqual({
    pointsPerDay: { ...defaultSettings.pointsPerDay, trojan: 12 },
    renewal: 'replace',
    basedOn: { pointsPerDay: defaultSettings.pointsPerDay, renewal: 'extend' },
  })
})

test('every price and rule has a labelled field', async () => {
  inForce()
  show(<PricesForm />)
  await screen.findByLabelText('Devices at once')
  const { prices } = words
  const labels = priceNames.flatMap((name) =>
    isTyped(name)
      ? vpnTypes.map((type) => prices[name].replace('{type}', shared.vpnTypes[type]))
      : [prices[name]],
  )
  expect([...screen.getAllByRole('textbox'), ...screen.getAllByRole('combobox')]).toHaveLength(labels.length)
  for (const label of labels) expect(screen.getByLabelText(label)).toBeTruthy()
})

test('a concurrent change is shown beside the input, and other concurrent changes survive', async () => {
  inForce()
  const theirs = {
    ...defaultSettings,
    pointsPerDay: { ...defaultSettings.pointsPerDay, trojan: 20, 'hysteria2-direct': 11 },
  }
  answer(setSettings, ({ basedOn }) =>
    basedOn?.pointsPerDay?.trojan === 20 ? theirs : refuse('CHANGED_MEANWHILE'),
  )
  show(<PricesForm />)
  await retype('Points per day, Trojan, through a tunnel', '12')
  await press('Review changes')
  await screen.findByRole('dialog')
  inForce(theirs)
  await press('Save changes')
  expect((await screen.findAllByText('Previously')).length).toBe(2)
  expect(screen.getByText('20')).toBeTruthy()
  await press('Save changes')
  await screen.findByText('The prices and rules were saved.')
  expect(lastBodyTo(setSettings)).toMatchObject({ pointsPerDay: { ...theirs.pointsPerDay, trojan: 12 } })
})

test('an invalid price shows an error at its field and cannot be sent', async () => {
  inForce()
  show(<PricesForm />)
  await retype('Points per day, Hysteria2, direct', '-1')
  expect(screen.getByText('A whole number, 0 or more')).toBeTruthy()
  await retype('Devices at once', '0')
  expect(screen.getByText('A whole number from 1 to 100')).toBeTruthy()
  expect(isDisabled('Review changes')).toBe(true)
  await press('Undo')
  expect(screen.getByText('No changes yet.')).toBeTruthy()
})
