import * as z from 'zod/mini'

/** Marks the field for our own server, which makes it required again. */
const mark = { isBeyondSpec: true } as const
export const isBeyondSpec = (schema: object): boolean => 'isBeyondSpec' in schema

type BeyondSpec<Field extends z.ZodMiniType> = z.ZodMiniType<z.output<Field> | undefined, z.input<Field>>

/**
 * Reply fields that spec.md does not name. Our server always sends them, and its parser requires them; the client
 * treats them as optional, so that it works with any server that keeps spec.md.
 */
/* @__NO_SIDE_EFFECTS__ */
export const beyondSpec = <Fields extends Record<string, z.ZodMiniType>>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, Object.assign(z.optional(field), mark)]),
  ) as unknown as { [Name in keyof Fields]: BeyondSpec<Fields[Name]> }
