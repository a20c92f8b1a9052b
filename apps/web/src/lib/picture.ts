/**
 * The page came with a picture of its screen while it loads, drawn when the client was built, and this visitor sees it: the
 * client takes it over as it is. What it knows beyond that is shown right afterwards.
 */
export const isPictured =
  typeof document !== 'undefined' &&
  document.documentElement.dataset.hold === undefined &&
  document.getElementById('root')?.inert === true
