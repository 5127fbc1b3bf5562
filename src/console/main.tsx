import './mantine.css'
import '@mantine/notifications/styles.css'
import './console.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app'

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
