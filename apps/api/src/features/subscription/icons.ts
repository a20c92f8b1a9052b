import { Html } from '../../lib/html.ts'

const icon = (path: string): Html =>
  new Html(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`)

const circle = 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z'

export const icons = {
  active: icon(`${circle}M8 12l3 3 5-6`),
  expired: icon(`${circle}M12 7v5l3 2`),
  limited: icon(`${circle}M7 15a5 5 0 0 1 10 0M12 15l3-4`),
  disabled: icon(`${circle}M9 8v8M15 8v8`),
  abused: icon(`${circle}M5 5l14 14`),
  fault: icon(`${circle}M12 7v6M12 16.5v.5`),
  down: icon('M6 9l6 6 6-6'),
}
