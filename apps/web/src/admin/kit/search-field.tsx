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
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  /** Searches that were reported but have not come back as `value`; they must not undo newer typing. */
  const awaited = useRef<string[]>([])
  const debounced = useDebounced(toLatinDigits(typed.trim()), 250)
  const tell = useEffectEvent((search: string) => {
    if (search === told.current) return
    told.current = search
    awaited.current.push(search)
    onSearch(search)
  })
  useEffect(() => tell(debounced), [debounced])
  const adopt = useEffectEvent((search: string) => {
    const at = awaited.current.indexOf(search)
    awaited.current.splice(0, at + 1)
    if (at >= 0 || search === told.current) return
    told.current = search
    setTyped(search)
  })
  useEffect(() => adopt(value), [value])
  return (
    <TextField
      label={label}
      type="search"
      value={typed}
      onValue={setTyped}
      error={error}
      autoComplete="off"
      spellCheck={false}
      isLatin
    />
  )
}
