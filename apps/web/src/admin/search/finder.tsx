import { type Finding, searchEverywhere } from '@kelid/contract'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { brokenRules } from '../../lib/form.ts'
import { useCounted } from '../../lib/use-counted.ts'
import { useRead } from '../../shared/reads/query.ts'
import { ReadFailed } from '../../shared/reads/read-failed.tsx'
import { useDebounced } from '../../shared/use-debounced.ts'
import { TextField } from '../../ui/field.tsx'
import { Loading } from '../../ui/loading/loading.tsx'
import { useRuleText } from '../kit/use-rule-text.ts'
import styles from './finder.module.css'

interface Props {
  pathOf: (finding: Finding) => string
  takeEarlyKeys: () => string
  onChosen: () => void
}

/** Text pasted from a chat may contain invisible characters. */
const cleaned = (text: string): string => text.replace(/(?!\u200c)\p{C}/gu, '').trim()

export function Finder({ pathOf, takeEarlyKeys, onChosen }: Props) {
  const { t } = useTranslation('admin')
  const counted = useCounted()
  const ruleText = useRuleText()
  const navigate = useNavigate()
  const frame = useRef<HTMLDivElement>(null)
  const [input, setInput] = useState('')
  const query = cleaned(input)
  const search = useDebounced(query, 250)
  const rule = search === '' ? undefined : brokenRules(searchEverywhere, { search }).search
  const isSearching = search !== '' && rule === undefined
  const { data, error, isFetching, refetch } = useRead(
    searchEverywhere,
    { search },
    { isEnabled: isSearching },
  )
  const items = isSearching ? (data?.items ?? []) : []
  const isSettled = isSearching && data !== undefined && query === search

  // A layout effect gives the field the focus before the next keystroke.
  useLayoutEffect(() => {
    frame.current?.querySelector('input')?.focus()
    const earlyKeys = takeEarlyKeys()
    if (earlyKeys) setInput(earlyKeys)
  }, [takeEarlyKeys])

  function walk(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const stops = [...(frame.current?.querySelectorAll<HTMLElement>('input, a') ?? [])]
    const next = stops.indexOf(document.activeElement as HTMLElement) + step
    stops[Math.min(Math.max(next, 0), stops.length - 1)]?.focus()
  }

  function enter(event: KeyboardEvent) {
    const [first] = items
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !isSettled || !first) return
    event.preventDefault()
    onChosen()
    void navigate(pathOf(first))
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the field and the links in it
    <div ref={frame} className={styles.finder} onKeyDown={walk}>
      <TextField
        label={t('finder.field')}
        type="search"
        value={input}
        onValue={setInput}
        onKeyDown={enter}
        hint={t('finder.hint')}
        error={ruleText(rule)}
        autoComplete="off"
        spellCheck={false}
        isLatin
      />
      <p className={styles.count} role="status">
        {isSettled && (items.length === 0 ? t('finder.none') : t('finder.found', counted(items.length)))}
      </p>
      {error && isSearching && (
        <ReadFailed error={error} text={t('finder.failed')} onRetry={() => void refetch()} />
      )}
      {isFetching && items.length === 0 && <Loading mode="linear" />}
      <Results items={items} pathOf={pathOf} onChosen={onChosen} />
    </div>
  )
}

interface ResultsProps {
  items: readonly Finding[]
  pathOf: (finding: Finding) => string
  onChosen: () => void
}

function Results({ items, pathOf, onChosen }: ResultsProps) {
  const { t } = useTranslation('admin')
  if (items.length === 0) return null
  return (
    <ul className={styles.results}>
      {items.map((finding) => (
        <li key={`${finding.kind} ${finding.id}`}>
          <Link to={pathOf(finding)} onClick={onChosen}>
            <span className={styles.kind}>{t(`finder.${finding.kind}`)}</span>{' '}
            <bdi dir="ltr">{finding.title}</bdi>{' '}
            {finding.detail !== '' && (
              <bdi dir="ltr" className={styles.detail}>
                {finding.detail}
              </bdi>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}
