import '../ui/tokens.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { BrowserRouter } from 'react-router'
import { startI18n } from '../lib/i18n.ts'
import { isPictured } from '../lib/picture.ts'
import { canonicalPath } from './canonical-path.ts'
import { AppRoutes, preloadScreen } from './routes.tsx'

const root = document.documentElement
const place = document.getElementById('root') as HTMLElement

const wanted = canonicalPath(location.pathname)
if (wanted !== location.pathname) history.replaceState(null, '', wanted + location.search + location.hash)

async function start() {
  const screen = preloadScreen(wanted)?.catch(() => {})
  const i18n = await startI18n()
  const app = (
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </I18nextProvider>
    </StrictMode>
  )
  const isPrerendered =
    place.childElementCount > 0 && root.dataset.page === location.pathname && !root.dataset.hold
  await screen
  place.inert = false
  if (isPrerendered || isPictured) hydrateRoot(place, app)
  else {
    place.replaceChildren()
    createRoot(place).render(app)
  }
  delete root.dataset.hold
}

/** Without its words the client cannot speak; what stays is one sentence in both languages and a way on. */
function giveUp() {
  delete root.dataset.hold
  if (place.childElementCount > 0 && !place.inert) return
  place.inert = false
  const again = document.createElement('button')
  again.textContent = 'Loading failed. Try again · بارگذاری نشد. تلاش دوباره'
  again.onclick = () => location.reload()
  place.replaceChildren(again)
}

start().catch(giveUp)
