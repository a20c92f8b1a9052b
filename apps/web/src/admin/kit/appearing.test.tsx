import { render } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Appearing } from './appearing.tsx'

test('a browser whose scrollIntoView returns a promise does not break the cleanup', () => {
  const scrolled = vi.fn(() => Promise.resolve())
  Element.prototype.scrollIntoView = scrolled as never
  const { unmount } = render(<Appearing>the log</Appearing>)
  expect(scrolled).toHaveBeenCalledTimes(1)
  expect(unmount).not.toThrow()
})
