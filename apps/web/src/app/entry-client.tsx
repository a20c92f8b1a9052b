import '../ui/tokens.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { BrowserRouter } from 'react-router'
import { startI18n } from '../lib/i18n.ts'
import { AppRoutes } from './routes.tsx'

const root = document.documentElement
const place = document.getElementById('root') as HTMLElement

void startI18n().then((i18n) => {
  const app = (
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </I18nextProvider>
    </StrictMode>
  )
  const isPrerendered = place.childElementCount > 0 && root.dataset.page === location.pathname && !root.dataset.hold
  if (isPrerendered) hydrateRoot(place, app)
  else {
    place.replaceChildren()
    createRoot(place).render(app)
  }
  delete root.dataset.hold
})
