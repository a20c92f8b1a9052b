import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anAccount } from '../../../../test/accounts.ts'
import { openDialog, user } from '../../../../test/actions.ts'
import { show } from '../../../../test/show.tsx'
import { WaysList } from './ways-list.tsx'

const way = (host: string, countryName: string, wayDown: boolean) => ({
  ...({ accountVPNType: 'trojan', accountTunnelType: 'ssh' } as const),
  accountQRString: `trojan://secret@${host}:443?security=tls#ali_phone`,
  wayDown,
  wayLastSeenDate: wayDown ? '2020-12-20T10:00:00.000Z' : null,
  server: { country: { ...anAccount().server.country, countryName } },
})
const ways = [way('a.example', 'Netherlands', false), way('b.example', 'Germany', true)]

test('each server has a QR code of its own, and one that is down is marked', async () => {
  show(<WaysList name="ali_phone" ways={ways} />)
  const items = screen.getAllByRole('listitem')
  expect(items.map((item) => item.textContent)).toEqual([
    expect.stringMatching(/^Netherlands · Trojan.*SSH.*Not connected yetQR code$/),
    expect.stringMatching(/^Germany · Trojan.*Seen .* agoNot reachable nowQR code$/),
  ])
  await user.click(within(items[1] as HTMLElement).getByRole('button', { name: 'QR code' }))
  const dialog = await openDialog()
  expect(dialog.getByRole('heading', { name: /^ali_phone · Germany/ })).toBeTruthy()
  expect(await dialog.findByRole('img', { name: 'QR code of ali_phone' })).toBeTruthy()
})

test('in Persian too', () => {
  show(<WaysList name="ali_phone" ways={ways} />, { language: 'fa' })
  expect(screen.getByText('فعلاً در دسترس نیست')).toBeTruthy()
  expect(screen.getByText('هنوز وصل نشده')).toBeTruthy()
})
