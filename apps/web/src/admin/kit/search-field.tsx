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

/** Tells what is looked for once typing has stopped. */
export function SearchField({ label, value, onSearch, error }: Props) {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const debounced = useDebounced(toLatinDigits(typed.trim()), 250)
  const tell = useEffectEvent((search: string) => {
    if (search === told.current) return
    told.current = search
    onSearch(search)
  })
  useEffect(() => tell(debounced), [debounced])
  const follow = useEffectEvent((search: string) => {
    if (search === told.current) return
    told.current = search
    setTyped(search)
  })
  // Somebody has changed it otherwise: everything is to be shown again, or one has gone back.
  useEffect(() => follow(value), [value])
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
