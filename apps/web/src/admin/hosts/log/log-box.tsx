import { type HostKind, looks } from '@kelid/contract'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { copyText } from '../../../shared/copy-text.ts'
import { onLiveEvent } from '../../../shared/events/live-events.ts'
import { saveFile } from '../../../shared/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import styles from './log-box.module.css'
import { createLogFeed } from './log-feed.ts'
import { createLogPaper } from './log-paper.ts'

interface Props {
  kind: HostKind
  uuid: string
  runUUID?: string | undefined
  text: string
  readAt: number
  /** Called when a line is missing or another run has started. */
  onStale: () => void
}

/** Scrolling this close to the end resumes following; scrolling further up than `leftPx` stops it. */
const nearPx = 24
const leftPx = 2
const keysUpwards = ['PageUp', 'ArrowUp', 'Home']

export function LogBox(props: Props) {
  const { t } = useTranslation('admin')
  const { kind, uuid, runUUID } = props
  const log = useLog(props)
  const [isTall, setTall] = useState(false)
  async function copy() {
    const isCopied = await copyText(log.whole())
    notify(t(isCopied ? 'hosts.log.copied' : 'hosts.log.notCopied'), isCopied ? 'success' : 'error')
  }
  return (
    <div className={styles.log}>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would need a heading of its own */}
      <div
        ref={log.box}
        className={styles.box}
        style={isTall ? undefined : { maxBlockSize: looks.logBoxMaxHeight }}
        dir="ltr"
        role="region"
        aria-label={t('hosts.log.title')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must be able to
        tabIndex={0}
        onScroll={log.onScroll}
        onKeyDown={({ key }) => keysUpwards.includes(key) && log.leaveEnd()}
        onWheel={({ deltaY }) => deltaY < 0 && log.leaveEnd()}
      >
        <div ref={log.paper} className={styles.paper} />
        {log.isEmpty && (
          <p className={styles.empty} dir="auto">
            {t('hosts.log.empty')}
          </p>
        )}
      </div>
      <div className={styles.actions}>
        <p className={styles.following} role="status">
          {log.isFollowing ? t('hosts.log.following') : t('hosts.log.stopped')}
        </p>
        {!log.isFollowing && <Button onClick={log.follow}>{t('hosts.log.follow')}</Button>}
        <Button aria-expanded={isTall} onClick={() => setTall(!isTall)}>
          {t(isTall ? 'hosts.log.lower' : 'hosts.log.higher')}
        </Button>
        <Button icon={adminShapes.copy} onClick={() => void copy()}>
          {t('hosts.log.copy')}
        </Button>
        <Button
          icon={adminShapes.download}
          onClick={() => saveFile(`${kind}-${runUUID ?? uuid}.log`, log.whole(), 'text/plain')}
        >
          {t('hosts.log.download')}
        </Button>
      </div>
    </div>
  )
}

/** Lines stay outside React state, because rendering a long log is slow. */
function useLog({ kind, uuid, runUUID, text, readAt, onStale }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const paper = useRef<HTMLDivElement>(null)
  const [feed] = useState(() => createLogFeed(runUUID))
  /** Pixels from the visible part to the end, at the last scroll event. */
  const lastToGo = useRef(0)
  const isFollowing = useRef(true)
  const [isShownFollowing, setShownFollowing] = useState(true)
  const writer = useRef<ReturnType<typeof createLogPaper>>(undefined)
  const [hasLines, setLines] = useState(text !== '')

  const setFollowing = (next: boolean) => {
    isFollowing.current = next
    setShownFollowing(next)
  }
  const toEnd = () => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
    lastToGo.current = 0
  }
  const measure = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {}
    // A box at its full height does not scroll.
    return { canScroll: scrollHeight > clientHeight, toGo: scrollHeight - scrollTop - clientHeight }
  }
  const readAgain = useEffectEvent(onStale)

  useEffect(() => {
    if (!paper.current) return
    const page = createLogPaper(paper.current, () => isFollowing.current && toEnd())
    writer.current = page
    const leave = onLiveEvent((event) => {
      if (event.type !== 'log' || event.subject !== kind || event.uuid !== uuid) return
      const step = feed.take(event)
      if (step === 'again') readAgain()
      if (step !== 'append') return
      page.append(feed.last())
      setLines(true)
    })
    return () => {
      leave()
      page.stop()
    }
  }, [kind, uuid, feed])

  // readAt is a dependency, because the same text may be read twice.
  useEffect(() => {
    const step = feed.begin(text)
    const whole = feed.whole()
    writer.current?.show(whole)
    setLines(whole !== '')
    if (step === 'again') readAgain()
  }, [text, readAt, feed])

  // Pieces get their real height when they become visible, and the box may be resized; the end stays visible.
  useEffect(() => {
    const observer = new ResizeObserver(() => isFollowing.current && toEnd())
    for (const one of [box.current, paper.current]) if (one) observer.observe(one)
    return () => observer.disconnect()
  }, [])

  return {
    box,
    paper,
    isEmpty: !hasLines,
    isFollowing: isShownFollowing,
    whole: feed.whole,
    follow: () => {
      setFollowing(true)
      toEnd()
    },
    /** Keys and the wheel stop following before the first scrolled pixel, which a resized piece would undo. */
    leaveEnd: () => {
      if (!isFollowing.current || !measure().canScroll) return
      lastToGo.current = 0
      setFollowing(false)
    },
    onScroll: () => {
      const { canScroll, toGo } = measure()
      if (!canScroll) return
      // The distance from the top also changes when pieces above are measured.
      const isNearer = toGo < lastToGo.current
      lastToGo.current = toGo
      if (isFollowing.current ? !isNearer && toGo >= leftPx : isNearer && toGo < nearPx)
        setFollowing(!isFollowing.current)
    },
  }
}
