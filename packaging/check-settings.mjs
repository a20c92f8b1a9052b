import { ConfigError, environment, readConfig } from '../apps/api/src/config.ts'

/** Lists the names of all settings, or checks the settings in the environment. */
if (process.argv[2] === '--names') console.log(Object.keys(environment).join('\n'))
else
  try {
    readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(1)
  }
