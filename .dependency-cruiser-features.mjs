import config from './.dependency-cruiser.mjs'

const features = '^apps/api/src/features/'

/**
 * Rules about folders see every import between them, so tests and everything outside the features are left out. They need
 * a run of their own, because the rules about files do look at tests.
 */
export default {
  forbidden: [
    {
      name: 'api-features-form-no-cycles',
      comment:
        'npx depcruise --config .dependency-cruiser-features.mjs --output-type ddot apps/api/src/features draws them',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...config.options,
    includeOnly: features,
    exclude: { path: '([.]test[.]ts|[.]fixture[.]ts)$' },
  },
}
