import { getUsers, userFilters, userSorts } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { bodiesTo, hrefOf, lastBodyTo, press, user } from '../../../../test/actions.ts'
import { answer, pageOf } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { answerUsers, aUser } from '../../../../test/users.ts'
import { usePeopleColumns } from './people-columns.tsx'
import { UserList } from './user-list.tsx'

function Everybody() {
  return (
    <UserList
      label="People"
      columns={usePeopleColumns()}
      filters={userFilters}
      sorts={userSorts}
      pathOf={(email) => `/p/${email}`}
    />
  )
}

test("a row links to the user's page and shows level, balances and suspension", async () => {
  answerUsers([aUser({ userLevel: 6, userDebt: 3.5, userSuspended: true })], 1_340)
  show(<Everybody />)
  await screen.findByText('1,340 entries')
  expect(hrefOf('sara@kelid.test')).toBe('/p/sara@kelid.test')
  for (const text of [/· administrator/, '$3.50', '1,200']) expect(screen.getByText(text)).toBeTruthy()
  expect(screen.getAllByText('Suspended').length).toBe(2)
})

test('search, filter and order are sent to the server and kept in the address', async () => {
  answerUsers([])
  show(<Everybody />, { at: '/?filter=debtors&sort=-userDebt' })
  expect(await screen.findByText('No users found matching your search')).toBeTruthy()
  expect(bodiesTo(getUsers)[0]).toMatchObject({ filter: 'debtors', sort: '-userDebt', limit: 40 })
  await user.type(screen.getByRole('searchbox'), ' sara ')
  await waitFor(() => expect(lastBodyTo(getUsers)).toMatchObject({ search: 'sara' }))
  answerUsers([aUser()])
  await press('Show all')
  expect(await screen.findByRole('link', { name: 'sara@kelid.test' })).toBeTruthy()
  expect(lastBodyTo(getUsers)).not.toHaveProperty('search')
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('')
})

test('an empty list says so', async () => {
  answerUsers([])
  show(<Everybody />)
  expect(await screen.findByText('No users available')).toBeTruthy()
})

test('an invalid address shows all users, and an invalid search is not sent', async () => {
  answerUsers([aUser()])
  show(<Everybody />, { at: `/?filter=nonsense&sort=up&search=${'x'.repeat(36)}` })
  expect(await screen.findByRole('link', { name: 'sara@kelid.test' })).toBeTruthy()
  expect(screen.getByText('At most 35 characters')).toBeTruthy()
  expect(bodiesTo(getUsers)[0]).toMatchObject({ sort: 'userEmail' })
  expect(bodiesTo(getUsers)[0]).not.toHaveProperty('search')
})

test('a new search and a return start with one page', async () => {
  const email = (n: number) => `r${String(n).padStart(3, '0')}@kelid.test`
  const users = Array.from({ length: 120 }, (_, n) => aUser({ userEmail: email(n) }))
  answer(getUsers, ({ search = '', ...body }) =>
    pageOf(
      users.filter(({ userEmail }) => userEmail.includes(search)),
      body,
    ),
  )
  show(<Everybody />)
  await screen.findByText(email(0))
  // Found by text, because a query by role is slow in a long table.
  const showMore = async () => user.click(await screen.findByText('Show more'))
  const search = screen.getByRole('searchbox')
  await showMore()
  await screen.findByText(email(79))
  await user.type(search, 'r1')
  await waitFor(() => expect(screen.queryByText(email(0))).toBeNull())
  expect(await screen.findByText(email(119))).toBeTruthy()
  await user.clear(search)
  await screen.findByText(email(0))
  expect(await screen.findByText(email(39))).toBeTruthy()
  expect(screen.queryByText(email(40))).toBeNull()
  await showMore()
  expect(await screen.findByText(email(79))).toBeTruthy()
  await showMore()
  expect(await screen.findByText(email(119))).toBeTruthy()
  expect(screen.queryByText('Show more')).toBeNull()
})
