/** Copies are in IndexedDB, because local storage is too small for a thousand accounts. */
export const copiesTable = 'copies'

export const openCopies = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('kelid', 1)
    request.onupgradeneeded = () =>
      request.result.createObjectStore(copiesTable, { keyPath: ['read', 'part'] })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** This is not in shared/reads, because visitors need it when they sign in. */
export async function deleteCopies(): Promise<void> {
  const database = await openCopies()
  const rows = database.transaction(copiesTable, 'readwrite')
  rows.objectStore(copiesTable).clear()
  // close() takes effect after the transaction.
  database.close()
  await new Promise((resolve, reject) => {
    rows.oncomplete = resolve
    rows.onabort = () => reject(rows.error)
  })
}
