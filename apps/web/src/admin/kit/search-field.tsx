import { toLatinDigits } from '@kelid/contract'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDebounced } from '../../shared/use-debounced.ts'
import { TextField } from '../../ui/field.tsx'

interface Props {
  label: string
  value: string
  onSearch: (search: string) => void
  error?: string | undefined
}

export function SearchField({ label, value, onSearch, error }: Props) {
  const [input, setInput] = useState(value)
  const lastSearch = useRef(value)
  /** Searches that were reported but have not come back as `value`; they must not undo newer typing. */
  const pendingSearches = useRef<string[]>([])
  const debounced = useDebounced(toLatinDigits(input.trim()), 250)
  const report = useEffectEvent((search: string) => {
    if (search === lastSearch.current) return
    lastSearch.current = search
    pendingSearches.current.push(search)
    onSearch(search)
  })
  useEffect(() => report(debounced), [debounced])
  const adopt = useEffectEvent((search: string) => {
    const at = pendingSearches.current.indexOf(search)
    pendingSearches.current.splice(0, at + 1)
    if (at >= 0 || search === lastSearch.current) return
    lastSearch.current = search
    setInput(search)
  })
  useEffect(() => adopt(value), [value])
  return (
    <TextField
      label={label}
      type="search"
      value={input}
      onValue={setInput}
      error={error}
      autoComplete="off"
      spellCheck={false}
      isLatin
    />
  )
}
