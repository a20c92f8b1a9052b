import { defaultSettings, getSettings, type Settings, setSettings, vpnTypes } from '@kelid/contract'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, callsTo, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import shared from '../../../shared/words/en.json' with { type: 'json' }
import words from '../../words/en.json' with { type: 'json' }
import { priceNames } from '../setting-text.ts'
import { PricesForm } from './prices-form.tsx'

const inForce = (settings: Settings = defaultSettings) => answer(getSettings, () => settings)
const retype = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('only changes are sent, after a confirmation with old and new values', async () => {
  inForce()
  answer(setSettings, () => defaultSettings)
  show(<PricesForm />)
  await retype('Points per day, Trojan, through a tunnel', '12')
  await userEvent.selectOptions(screen.getByLabelText('Renewal'), 'replace')
  expect(screen.getByText(/becomes the number entered/)).toBeTruthy()
  expect(screen.getByText('2 changes, not saved')).toBeTruthy()
  await press('Review changes')
  const dialog = within(await screen.findByRole('dialog'))
  expect(
    await dialog.findByRole('heading', { name: 'Points per day, Trojan, through a tunnel' }),
  ).toBeTruthy()
  expect(dialog.getByText('12')).toBeTruthy()
  expect(dialog.getByText('Adds days')).toBeTruthy()
  expect(dialog.getByText('Replaces remaining days')).toBeTruthy()
  expect(callsTo(setSettings)).toEqual([])
  await press('Save changes')
  expect(await screen.findByText('The prices and rules were saved.')).toBeTruthy()
  const { client, clientVersion, lng, ...body } = callsTo(setSettings)[0]?.body ?? {}
  expect(body).toEqual({
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
    name === 'pointsPerDay'
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
  await userEvent.click(await screen.findByRole('button', { name: 'Save changes' }))
  expect((await screen.findAllByText('Previously')).length).toBe(2)
  expect(screen.getByText('20')).toBeTruthy()
  await press('Save changes')
  await screen.findByText('The prices and rules were saved.')
  expect(callsTo(setSettings)[1]?.body.pointsPerDay).toEqual({ ...theirs.pointsPerDay, trojan: 12 })
})

test('an invalid price shows an error at its field and cannot be sent', async () => {
  inForce()
  show(<PricesForm />)
  await retype('Points per day, Hysteria2, direct', '-1')
  expect(screen.getByText('A whole number, 0 or more')).toBeTruthy()
  await retype('Devices at once', '0')
  expect(screen.getByText('A whole number from 1 to 100')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Review changes' }).disabled).toBe(true)
  await press('Undo')
  expect(screen.getByText('No changes yet.')).toBeTruthy()
})
