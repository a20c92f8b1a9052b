import { readFileSync } from 'node:fs'
import { allExtensions } from 'dependency-cruiser'

// Without a TypeScript it can read, dependency-cruiser finds no files and calls that a success.
if (!allExtensions.some(({ extension, available }) => extension === '.ts' && available))
  throw new Error(
    'dependency-cruiser needs a "typescript" below 7 beside it (npm:@typescript/typescript6) to read the sources',
  )

const api = '^apps/api/src/'
const web = '^apps/web/src/'
const areas = 'visitor|reseller|admin'
const tests = '([.]test[.]tsx?$|[.]fixture[.]ts$|/test-[^/]+[.]ts$|/testbed[.]ts$)'
const database = 'node_modules/(@types/)?(kysely|pg|pg-(?!boss)[^/]+)/'
const typeOnly = ['type-only']

/** What the browser tests and the bench may know of the apps' insides; all else they meet as a user does. */
const knownFromOutside = [
  '^apps/web/(test|src/.+/words)/',
  '^apps/web/src/(admin/paths|admin/routes|app/routes|lib/paths|lib/words|lib/format|ui/appearance/theme)[.]ts$',
  '^apps/api/src/(db/embedded/embedded|lib/seal|lib/tokens)[.]ts$',
  '^apps/api/src/features/authority/certificate[.]ts$',
  '^apps/api/test/real/(core|ports|programs)[.]ts$',
  '^apps/api/src/(http/prepared-page|features/subscription/page-words|features/accounts/account-shape)[.]ts$',
]
/** They use the packages of the app they are about, in its version. */
const packagesOfApps = ['api', 'web'].flatMap((app) => {
  const file = new URL(`apps/${app}/package.json`, import.meta.url)
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.keys({ ...dependencies, ...devDependencies }).map((name) => `^node_modules/${name}/`)
})

/** Imports run one way: contract <- everything; in web app -> areas -> shared -> calls -> ui, lib. Cycles between features: .dependency-cruiser-features.mjs. */
export default {
  forbidden: [
    {
      name: 'contract-imports-only-the-schema-library',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: tests },
      to: { pathNot: '^(packages/contract/src/|node_modules/zod/)' },
    },
    {
      name: 'packages-know-no-app',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'contract-is-entered-by-its-index',
      comment: 'index.ts says what is public',
      severity: 'error',
      from: { path: '^(apps|e2e|bench)/' },
      to: { path: '^packages/contract/', pathNot: '^packages/contract/src/index[.]ts$' },
    },
    {
      name: 'apps-never-meet',
      comment: 'web, api and agent speak over the wire only',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },

    {
      name: 'web-nobody-knows-the-app',
      severity: 'error',
      from: { path: web, pathNot: [`${web}app/`, tests] },
      to: { path: `${web}app/` },
    },
    {
      name: 'web-no-area-knows-another',
      severity: 'error',
      from: { path: `${web}(${areas})/`, pathNot: tests },
      to: { path: `${web}(${areas})/`, pathNot: `${web}$1/` },
    },
    {
      name: 'web-what-areas-stand-on-knows-none',
      severity: 'error',
      from: { path: `${web}(ui|lib|calls|shared)/`, pathNot: tests },
      to: { path: `${web}(${areas})/` },
    },
    {
      name: 'web-calls-know-nothing-shared',
      severity: 'error',
      from: { path: `${web}(ui|lib|calls)/`, pathNot: tests },
      to: { path: `${web}shared/` },
    },
    {
      name: 'web-ui-and-lib-make-no-calls',
      severity: 'error',
      from: { path: `${web}(ui|lib)/`, pathNot: tests },
      to: { path: `${web}calls/` },
    },
    {
      name: 'web-lib-knows-no-ui',
      severity: 'error',
      from: { path: `${web}lib/`, pathNot: tests },
      to: { path: `${web}ui/` },
    },
    {
      name: 'web-features-know-no-screen-and-no-other-feature',
      severity: 'error',
      from: { path: `${web}((?:${areas})/(?!screens/)[^/]+)/`, pathNot: tests },
      to: { path: `${web}(?:${areas})/[^/]+/`, pathNot: [`${web}$1/`, `${web}admin/kit/`] },
    },

    {
      name: 'api-features-import-no-stores-routes-or-jobs-of-others',
      comment:
        'other features import the file that holds the rule; it re-exports what they need of its store',
      severity: 'error',
      from: { path: `${api}features/([^/]+)/`, pathNot: tests },
      to: { path: `${api}features/.+[.](store|routes|job)[.]ts$`, pathNot: `${api}features/$1/` },
    },
    {
      name: 'api-only-stores-touch-the-database',
      severity: 'error',
      from: { path: api, pathNot: ['[.]store[.]ts$', `${api}db/`, `${api}context[.]ts$`, tests] },
      to: { path: database },
    },
    {
      name: 'api-context-names-the-database-as-a-type',
      severity: 'error',
      from: { path: `${api}context[.]ts$` },
      to: { path: database, dependencyTypesNot: typeOnly },
    },
    {
      name: 'api-only-jobs-know-the-queue',
      severity: 'error',
      from: { path: api, pathNot: [`${api}(jobs|db)/`, tests] },
      to: { path: 'node_modules/pg-boss/' },
    },
    {
      name: 'api-only-routes-know-http',
      severity: 'error',
      from: { path: api, pathNot: ['[.]routes[.]ts$', `${api}http/`, `${api}(app|main)[.]ts$`, tests] },
      to: { path: 'node_modules/@?fastify(/|-)' },
    },

    {
      name: 'the-product-knows-no-tests-and-no-scripts',
      severity: 'error',
      from: { path: '^(packages|apps)/' },
      to: { path: '^(e2e|bench|scripts)/' },
    },
    {
      name: 'e2e-and-bench-know-few-insides',
      severity: 'error',
      from: { path: '^(e2e|bench)/' },
      to: { path: '^apps/', pathNot: knownFromOutside },
    },
    {
      name: 'e2e-knows-no-bench',
      severity: 'error',
      from: { path: '^e2e/' },
      to: { path: '^bench/' },
    },
    {
      name: 'scripts-know-no-sources',
      comment: 'they run before anything is built',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^(packages|apps|e2e|bench)/' },
    },

    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable-imports',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'it works only because another package happens to bring it',
      severity: 'error',
      from: { pathNot: '^(e2e|bench)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-undeclared-packages-in-e2e-and-bench',
      severity: 'error',
      from: { path: '^(e2e|bench)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: packagesOfApps },
    },
    {
      name: 'no-dev-packages-in-the-product',
      severity: 'error',
      from: { path: '^(packages|apps)/[^/]+/src/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: typeOnly, pathNot: 'node_modules/@types/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(bench|(packages|apps)/[^/]+)/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
}
