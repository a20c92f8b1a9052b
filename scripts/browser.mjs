import { existsSync } from 'node:fs'
import { installPackage } from './debian-package.mjs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser']

const find = () => places.find((place) => existsSync(place))

/** The system's own Chromium; browsers of other makes are never downloaded. */
export function chromium() {
  if (!find()) installPackage('chromium')
  const found = find()
  if (!found) throw new Error('There is no Chromium for the browser tests: install the package chromium.')
  return found
}
