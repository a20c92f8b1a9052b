import { type RefObject, useEffect, useRef } from 'react'

/** What names the document: built pages, browser tabs and previews of links alike. */
export const titleOf = (heading: string, brandName: string): string =>
  heading && heading !== brandName ? `${heading} · ${brandName}` : brandName

/**
 * Every screen has one heading of the first rank. It names the document, and it takes the focus after a step from
 * one screen to another, so that a screen reader says where one is.
 */
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
