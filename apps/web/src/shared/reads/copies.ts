/** What is kept on the device, in the browser's own database: local storage is too small for a thousand accounts. */
export interface Copy {
  /** Key of the read, as a string; together with `part` the key of the row. */
  readonly read: string
  readonly part: number
  /** The session it belongs to. */
  readonly owner: string
  readonly readAt: number
  readonly data: unknown
}

const databaseName = 'kelid'
const table = 'copies'

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

let opening: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: ['read', 'part'] })
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close()
      request.result.onclose = () => {
        opening = null
      }
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
  })
  return opening
}

const store = async (mode: IDBTransactionMode) => (await open()).transaction(table, mode).objectStore(table)

/** Private windows and full disks refuse: then there is no copy, and nothing else changes. */
const orNothing = <T>(work: Promise<T>, nothing: T): Promise<T> => work.catch(() => nothing)

export const readCopies = (): Promise<Copy[]> =>
  orNothing(
    store('readonly').then((copies) => settled<Copy[]>(copies.getAll())),
    [],
  )

export const writeCopies = (copies: readonly Copy[]): Promise<void> =>
  orNothing(
    store('readwrite').then((rows) => {
      for (const copy of copies) rows.put(copy)
    }),
    undefined,
  )

/** One read's rows from a part on: a list that became shorter leaves none behind. */
export const dropCopies = (read: string, from = 0): Promise<void> =>
  orNothing(
    store('readwrite').then((rows) => {
      rows.delete(IDBKeyRange.bound([read, from], [read, Number.MAX_SAFE_INTEGER]))
    }),
    undefined,
  )

export const clearCopies = (): Promise<void> =>
  orNothing(
    store('readwrite').then((rows) => {
      rows.clear()
    }),
    undefined,
  )
