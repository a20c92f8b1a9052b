/** Where answers are kept for reading without a network: local storage is too small for a thousand accounts. */
export const copiesTable = 'copies'

export const openCopies = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('kelid', 2)
    request.onupgradeneeded = () => {
      // The lists of version 1 held links.
      if (request.result.objectStoreNames.contains(copiesTable)) request.result.deleteObjectStore(copiesTable)
      request.result.createObjectStore(copiesTable, { keyPath: ['read', 'part'] })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Deletes them all, or says that it could not. It is here for those who sign in, and have no part that reads. */
export async function deleteCopies(): Promise<void> {
  const database = await openCopies()
  const rows = database.transaction(copiesTable, 'readwrite')
  rows.objectStore(copiesTable).clear()
  // It is closed once they are gone.
  database.close()
  await new Promise((resolve, reject) => {
    rows.oncomplete = resolve
    rows.onabort = () => reject(rows.error)
  })
}
