import { existsSync } from 'node:fs'
import { installPackage } from './debian-package.mjs'

/** The one without windows first: it does the same in less than half the time. */
const packages = ['chromium-headless-shell', 'chromium']

const find = (name) => [`/usr/bin/${name}`].find((place) => existsSync(place))

/** Debian's own Chromium; browsers of other makes are never downloaded. */
export function chromium() {
  for (const name of packages) {
    if (!find(name)) installPackage(name)
    const found = find(name)
    if (found) return found
  }
  throw new Error(`There is no browser for the tests: install one of the packages ${packages.join(', ')}.`)
}
