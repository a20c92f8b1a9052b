import { type RefObject, useEffect, useRef } from 'react'

export const titleOf = (heading: string, brandName: string): string =>
  heading && heading !== brandName ? `${heading} · ${brandName}` : brandName

/** The h1 names the document and takes the focus after navigation, so that screen readers announce the new screen. */
export function useHeading(main: RefObject<HTMLElement | null>, pathname: string, brandName: string): void {
  const lastPath = useRef(pathname)

  useEffect(() => {
    let wantsFocus = lastPath.current !== pathname
    lastPath.current = pathname
    const element = main.current
    if (!element) return
    const follow = () => {
      const heading = element.querySelector<HTMLElement>('h1:not([data-waiting])')
      if (!heading) return
      const title = titleOf(heading.textContent.trim(), brandName)
      if (document.title !== title) document.title = title
      if (!wantsFocus) return
      wantsFocus = false
      const isTyping = document.activeElement?.matches('main input, main select, main textarea, dialog *')
      if (isTyping) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    follow()
    const observer = new MutationObserver(follow)
    observer.observe(element, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [main, pathname, brandName])
}
