import { languages } from '@kelid/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { hrefOf } from '../../../../test/actions.ts'
import { show } from '../../../../test/show.tsx'
import { wordsIn } from '../../../app/all-words.ts'
import type english from '../words/en.json'
import { Landing } from './landing.tsx'

test.each(languages)(
  '%s: the page shows the product, three blocks, three steps, the cost and the contact',
  (language) => {
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
    expect(hrefOf(home.start)).toBe('/up')
  },
)
