import { existsSync } from 'node:fs'
import { installPackage } from './debian-package.mjs'

/** Headless shell first: it needs less than half the time. */
const packages = ['chromium-headless-shell', 'chromium']

const find = (name) => [`/usr/bin/${name}`].find((place) => existsSync(place))

/** Debian's own Chromium; the tests never download a browser. */
export function chromium() {
  for (const name of packages) {
    if (!find(name)) installPackage(name)
    const found = find(name)
    if (found) return found
  }
  throw new Error(`No browser for the tests: install one of the packages ${packages.join(', ')}.`)
}
