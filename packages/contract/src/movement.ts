/** How a host measures who moves bytes: each minute has equal slices, and spans of some slices. */
export const movement = {
  sliceSeconds: 3,
  slices: 20,
  slicesOfSpan: 4,
} as const

/** The spans of a minute, each with the bits of its slices. */
export const movementSpans: readonly (readonly number[])[] = Array.from(
  { length: movement.slices / movement.slicesOfSpan },
  (_, span) =>
    Array.from({ length: movement.slicesOfSpan }, (_, slice) => 1 << (span * movement.slicesOfSpan + slice)),
)

/** Whether somebody moved bytes in every span; `slices` has a bit for each slice in which they did. */
export const movesThroughout = (slices: number): boolean =>
  movementSpans.every((span) => span.some((slice) => slices & slice))
