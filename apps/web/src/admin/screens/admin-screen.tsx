import i18next from 'i18next'
import { Suspense } from 'react'
import { currentLanguage } from '../../lib/current-language.ts'
import { lazyScreen } from '../../lib/lazy-screen.tsx'
import { loadWords } from '../../lib/load-words.ts'
import { sessionStore } from '../../lib/session.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { Guard } from '../door/guard/guard.tsx'

/** All that lies behind the door, words and program: fetched when the server has said who is there. */
const Area = lazyScreen(async () => {
  const [area] = await Promise.all([import('../area.tsx'), loadWords(i18next, currentLanguage(), ['admin'])])
  return area.Area
})

// Whoever says to be an administrator need not wait for the answer to have it on its way.
if (sessionStore.get()?.userLevel) Area.preload().catch(() => {})

export const AdminScreen = () => (
  <Guard>
    <Suspense fallback={<Waiting title="door.title" />}>
      <Area />
    </Suspense>
  </Guard>
)
