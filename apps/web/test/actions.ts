import type { Call } from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect } from 'vitest'
import { callsTo } from './answers.ts'

/** Without a pause between keys and clicks, which makes long inputs fast. */
export const user = userEvent.setup({ delay: null })

/** Waits until the button is enabled, because a click on a disabled one does nothing: a form's rules load on first use. */
async function clickEnabled(button: HTMLElement) {
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
  await user.click(button)
}

export const press = async (name: string | RegExp) =>
  clickEnabled(await screen.findByRole('button', { name }))

export const openDialog = async () => within(await screen.findByRole('dialog'))
export const dialogCloses = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

/** Presses a button of the open dialog; the button that opened it may have the same name. */
export async function confirm(name: string) {
  const dialog = await openDialog()
  await clickEnabled(await dialog.findByRole('button', { name }))
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
