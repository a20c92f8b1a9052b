import { languages } from '@kelid/contract'
import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { api } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { wordsIn } from '../../../app/all-words.ts'
import type english from '../words/en.json'
import { Landing } from './landing.tsx'

test.each(languages)(
  '%s: the page shows the product, three blocks, three steps, the cost and the contact',
  async (language) => {
    api.use(http.get('*/config.json', () => HttpResponse.json({ brandContact: 'sales@example.com' })))
    const { home } = wordsIn(language)['visitor/home'] as typeof english
    show(<Landing toSignUp="/up" toSignIn="/in" toDashboard="/board" />, { language })

    expect(screen.getByRole('img', { name: home.picture.alt })).toBeTruthy()
    const titles = screen.getAllByRole('heading').map(({ textContent }) => textContent)
    expect(titles).toEqual([
      home.title,
      home.locations.title,
      home.tunnels.title,
      home.payment.title,
      home.steps.title,
      home.steps.signUp.title,
      home.steps.points.title,
      home.steps.handOver.title,
      home.cost.title,
      home.contact.title,
    ])
    expect(screen.getByRole('link', { name: home.start }).getAttribute('href')).toBe('/up')

    const card = screen.getByRole('heading', { name: home.payment.title }).closest('li') as HTMLElement
    const target = within(card).getByRole<HTMLAnchorElement>('link').hash.slice(1)
    const contact = document.getElementById(target) as HTMLElement
    const link = await within(contact).findByRole('link', { name: 'sales@example.com' })
    expect(link.getAttribute('href')).toBe('mailto:sales@example.com')
  },
)
