import { buildAgent, buildClient } from './built.mjs'

buildClient()
buildAgent()
