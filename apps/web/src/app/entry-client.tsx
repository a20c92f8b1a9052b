import '../ui/tokens.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { BrowserRouter } from 'react-router'
import { canonicalPath } from './canonical-path.ts'
import { startI18n } from './i18n.ts'
import { AppRoutes, preloadScreen } from './router.tsx'

const root = document.documentElement
const container = document.getElementById('root') as HTMLElement

const path = canonicalPath(location.pathname)
if (path !== location.pathname) history.replaceState(null, '', path + location.search + location.hash)

async function start() {
  const i18n = await startI18n()
  // The screen itself shows a load failure.
  await preloadScreen(path)?.catch(() => {})
  const app = (
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </I18nextProvider>
    </StrictMode>
  )
  const hidesPage = root.dataset.hold !== undefined
  // Removes prerendered content that this visitor must not see before the first render.
  if (hidesPage) container.replaceChildren()
  delete root.dataset.hold
  container.inert = false
  if (root.dataset.page === location.pathname && !hidesPage) hydrateRoot(container, app)
  else createRoot(container).render(app)
}

declare global {
  interface Window {
    /** Set by first-frame.js: reports a part that did not load. */
    giveUp: () => void
    givesUpLater: number
  }
}

start()
  .then(() => document.getElementById('failed')?.remove(), window.giveUp)
  .finally(() => clearTimeout(window.givesUpLater))
