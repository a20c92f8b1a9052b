const given = process.env.KELID_DATAPLANE
if (!given) throw new Error('These tests are started by `npm run test:dataplane`')

type Name = 'xray' | 'sing-box' | 'pebble' | 'mihomo'

/** Built once, outside of the tree. */
export const programs = JSON.parse(given) as Record<Name, string>
