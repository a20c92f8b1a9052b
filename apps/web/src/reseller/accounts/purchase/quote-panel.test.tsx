import { quoteAccount } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, noAnswer, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { QuotePanel } from './quote-panel.tsx'
import { useQuote } from './use-quote.ts'

const question = { accountVPNType: 'trojan', accountTunnelType: 'ssh', accountDuration: 30 } as const
const Panel = () => <QuotePanel read={useQuote(question)} waiting="" expiryLabel="" />

test("a failed read of the price is announced at the top, with the server's reason", async () => {
  answer(quoteAccount, () => noAnswer())
  const first = show(<Panel />)
  await waitFor(() => expect(screen.getAllByText('The price could not be read.')).toHaveLength(2))
  first.unmount()
  answer(quoteAccount, () => refuse('BUSY'))
  show(<Panel />)
  expect(await screen.findByText('The server is busy; try again in a moment')).toBeTruthy()
  expect(screen.getByText('The price could not be read.')).toBeTruthy()
})
