import { basename } from 'node:path'
import { buildAgent, buildClient } from './built.mjs'
import { dataplanePrograms } from './dataplane-programs.mjs'
import { buildArchive } from './package-archive.mjs'

buildClient()
buildAgent()
const { xray } = await dataplanePrograms(['xray'])
const { archive, bytes, isOfCommit } = buildArchive({ core: xray, folder: process.argv[2] ?? 'dist' })
if (!isOfCommit) console.log('Files differ from the commit, so this archive cannot be built again from it.')
console.log(`${basename(archive)}: ${(bytes / 2 ** 20).toFixed(1)} MB`)
