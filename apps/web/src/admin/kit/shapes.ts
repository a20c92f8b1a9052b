import { shapes } from '../../shared/shapes.ts'
import type { Shape } from '../../ui/icon.tsx'

/** Icons from Lucide (ISC licence) for the admin area. */
export const adminShapes = {
  ...shapes,
  menu: { path: 'M4 6h16 M4 12h16 M4 18h16' },
  server: {
    path: 'M4 2h16a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-4a2 2 0 0 1 2 -2z M4 14h16a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-4a2 2 0 0 1 2 -2z M6 6h.01 M6 18h.01',
  },
  people: {
    path: 'M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2 M5 7a4 4 0 1 0 8 0a4 4 0 1 0 -8 0 M22 21v-2a4 4 0 0 0-3-3.87 M16 3.13a4 4 0 0 1 0 7.75',
  },
  search: { path: 'M3 11a8 8 0 1 0 16 0a8 8 0 1 0 -16 0 M21 21l-4.3-4.3' },
  play: { path: 'M6 3l14 9-14 9z' },
  pause: { path: 'M10 4H6v16h4z M18 4h-4v16h4z' },
  edit: {
    path: 'M21.17 6.81a1 1 0 0 0-3.99-3.99L3.84 16.17a2 2 0 0 0-.5.83l-1.32 4.35a.5.5 0 0 0 .62.62l4.35-1.32a2 2 0 0 0 .83-.5z M15 5l4 4',
  },
  coins: {
    path: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0 -12 0 M18.09 10.37A6 6 0 1 1 10.34 18 M7 6h1v4 M16.71 13.88l.7.71-2.82 2.82',
  },
  up: { path: 'M12 19V5 M5 12l7-7 7 7' },
  down: { path: 'M12 5v14 M19 12l-7 7-7-7' },
  move: { path: 'M8 3 4 7l4 4 M4 7h16 M16 21l4-4-4-4 M20 17H4' },
  gift: {
    path: 'M3 8h18v4H3z M12 8v13 M19 12v7a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-7 M7.5 8a2.5 2.5 0 0 1 0-5C11 3 12 8 12 8s1-5 4.5-5a2.5 2.5 0 0 1 0 5',
  },
} as const satisfies Record<string, Shape>
