import i18next from 'i18next'
import { Suspense } from 'react'
import { currentLanguage } from '../../lib/current-language.ts'
import { lazyScreen } from '../../lib/lazy-screen.tsx'
import { loadWords } from '../../lib/load-words.ts'
import { sessionStore } from '../../lib/session.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { Guard } from '../entry/guard/guard.tsx'

const Area = lazyScreen(async () => {
  const [area] = await Promise.all([import('../area.tsx'), loadWords(i18next, currentLanguage(), ['admin'])])
  return area.Area
})

// A stored level starts the download early; the guard still asks the server.
if (sessionStore.get()?.userLevel) Area.preload().catch(() => {})

export const AdminScreen = () => (
  <Guard>
    <Suspense fallback={<Waiting title="entry.title" />}>
      <Area />
    </Suspense>
  </Guard>
)
