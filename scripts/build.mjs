import { buildClient, buildServer } from './built.mjs'

buildClient()
buildServer()
