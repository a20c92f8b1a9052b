import type { Call } from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect } from 'vitest'
import { callsTo } from './answers.ts'

const person = userEvent.setup({
  // Without a pause between keys, which makes long inputs fast.
  delay: null,
})

/** Clicks wait until the button is enabled, because a form's rules load on first use. */
export const user = {
  ...person,
  async click(element: Element) {
    await waitFor(() => expect(element).not.toHaveProperty('disabled', true))
    await person.click(element)
  },
}

export const press = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }))

export const openDialog = async () => within(await screen.findByRole('dialog'))
export const dialogCloses = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

/** Presses a button of the open dialog; the button that opened it may have the same name. */
export async function confirm(name: string) {
  const dialog = await openDialog()
  await user.click(await dialog.findByRole('button', { name }))
}

export async function retype(label: string, text: string) {
  const field = await screen.findByLabelText(label)
  await user.clear(field)
  if (text) await user.type(field, text)
}

export const fieldValue = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

export const isDisabled = (button: string | RegExp) =>
  screen.getByRole<HTMLButtonElement>('button', { name: button }).disabled

export const hrefOf = (link: string | RegExp, container = document.body) =>
  within(container).getByRole('link', { name: link }).getAttribute('href')

/** The bodies sent to a call, without the fields that every call has. */
export const bodiesTo = (call: Call) =>
  callsTo(call).map(({ body: { client: _, clientVersion: __, lng: ___, ...body } }) => body)

export const lastBodyTo = (call: Call) => bodiesTo(call).at(-1)
