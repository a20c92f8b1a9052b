import { act, cleanup, render, screen } from '@testing-library/react'
import { Link, MemoryRouter, useNavigate } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useScrollMemory } from './scroll.ts'

/** jsdom has no layout, so the test sets the page's height. */
let pageEnd = 0
let grow = () => {}
const scrollTo = (y: number) => {
  Object.defineProperty(window, 'scrollY', { value: Math.min(y, pageEnd), configurable: true })
  window.dispatchEvent(new Event('scroll'))
}
const nextFrame = () => act(() => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined))))

beforeEach(() => {
  pageEnd = 10_000
  scrollTo(0)
  vi.stubGlobal('scrollTo', (_: number, y: number) => scrollTo(y))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(changed: () => void) {
        grow = changed
      }
      observe() {}
      disconnect() {
        grow = () => {}
      }
    },
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Screens() {
  useScrollMemory()
  const navigate = useNavigate()
  return (
    <>
      <Link to="/account">account</Link>
      <button type="button" onClick={() => void navigate(-1)}>
        back
      </button>
    </>
  )
}
const press = (name: string) => act(() => screen.getByText(name).click())

test('a new screen starts at its top, and going back restores the position', async () => {
  render(<Screens />, { wrapper: MemoryRouter })
  scrollTo(5_000)
  await nextFrame()
  press('account')
  expect(window.scrollY).toBe(0)
  press('back')
  expect(window.scrollY).toBe(5_000)
})

test('the shorter page after leaving a screen does not change its position', async () => {
  render(<Screens />, { wrapper: MemoryRouter })
  scrollTo(5_000)
  await nextFrame()
  scrollTo(100)
  press('account')
  await nextFrame()
  press('back')
  expect(window.scrollY).toBe(5_000)
})

test('the position is restored once the page is long enough', async () => {
  render(<Screens />, { wrapper: MemoryRouter })
  scrollTo(5_000)
  await nextFrame()
  press('account')
  pageEnd = 300
  press('back')
  expect(window.scrollY).toBe(300)
  pageEnd = 10_000
  act(() => grow())
  expect(window.scrollY).toBe(5_000)
})

test('a reload keeps the position, and another typed address starts at its top', async () => {
  const step = { pathname: '/', key: 'list' }
  // The first entry of every tab has this key.
  const typedAddress = { pathname: '/long', key: 'default' }
  for (const at of [step, typedAddress]) {
    render(
      <MemoryRouter initialEntries={[at]}>
        <Screens />
      </MemoryRouter>,
    )
    scrollTo(4_000)
    await nextFrame()
    cleanup()
  }
  window.dispatchEvent(new Event('pagehide'))
  vi.resetModules()
  const { useScrollMemory: afterReload } = await import('./scroll.ts')
  const Reloaded = () => {
    afterReload()
    return null
  }
  const { MemoryRouter: Router } = await import('react-router')
  for (const [at, position] of [
    [step, 4_000],
    [typedAddress, 4_000],
    [{ ...typedAddress, pathname: '/elsewhere' }, 0],
  ] as const) {
    scrollTo(50)
    render(
      <Router initialEntries={[at]}>
        <Reloaded />
      </Router>,
    )
    expect(window.scrollY).toBe(position)
    cleanup()
  }
})
