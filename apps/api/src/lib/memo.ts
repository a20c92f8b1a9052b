/**
 * Remembers what a pure function answered, for between `size` and twice as many keys: when a generation is full the one
 * before it is forgotten.
 */
export function memo<Value>(size: number): (key: string, compute: () => Value) => Value {
  let young = new Map<string, Value>()
  let old = young
  return (key, compute) => {
    const known = young.get(key)
    if (known !== undefined) return known
    const value = old.get(key) ?? compute()
    if (young.size >= size) {
      old = young
      young = new Map()
    }
    young.set(key, value)
    return value
  }
}

/** What takes time to make and may never be wanted. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
