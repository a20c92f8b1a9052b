import { copiesTable, openCopies } from '../../lib/copies-database.ts'

export interface Copy {
  /** Primary key, together with `part`. */
  readonly read: string
  readonly part: number
  readonly owner: string
  readonly readAt: number
  readonly data: unknown
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

let connection: Promise<IDBDatabase> | null = null

async function open(): Promise<IDBDatabase> {
  const database = await openCopies()
  database.onversionchange = () => database.close()
  database.onclose = () => {
    connection = null
  }
  return database
}

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  connection ??= open()
  return (await connection).transaction(copiesTable, mode).objectStore(copiesTable)
}

/** Private windows and full disks refuse; the client then works without copies. */
const orNothing = <T>(work: Promise<T>, nothing: T): Promise<T> => work.catch(() => nothing)

export const readCopies = (shouldKeep: (copy: Copy) => boolean): Promise<Copy[]> =>
  orNothing(
    store('readwrite').then(async (rows) => {
      const copies = await resultOf<Copy[]>(rows.getAll())
      for (const { read, part } of copies.filter((copy) => !shouldKeep(copy))) rows.delete([read, part])
      return copies.filter(shouldKeep)
    }),
    [],
  )

export const writeCopies = (copies: readonly Copy[]): Promise<void> =>
  orNothing(
    store('readwrite').then((rows) => {
      for (const copy of copies) rows.put(copy)
    }),
    undefined,
  )

/** Deletes from this part on, so that a shorter list leaves no rows behind. */
export const dropCopies = (read: string, from = 0): Promise<void> =>
  orNothing(
    store('readwrite').then((rows) => {
      rows.delete(IDBKeyRange.bound([read, from], [read, Number.MAX_SAFE_INTEGER]))
    }),
    undefined,
  )
