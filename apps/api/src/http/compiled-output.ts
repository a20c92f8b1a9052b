import { type Call, isBeyondSpec, type Output } from '@kelid/contract'
import * as z from 'zod/mini'
import { $ZodObjectJIT, type $ZodType, parse } from 'zod/v4/core'

/**
 * Compiles the output schema of the call, which costs a tenth. The contract cannot do this itself, because the
 * client's pages forbid evaluating code. Fields beyond spec.md are optional for clients only: here they are required.
 */
export const withCompiledOutput = (call: Call): Call => ({ ...call, output: compileOutput(call.output) })

function compileOutput(output: Output): Output {
  if (output.kind === 'nothing') return output
  const schema = compile(output.item)
  return { ...output, item: { parse: (value: unknown) => parse(schema, value) } as z.ZodMiniType }
}

function compile(schema: $ZodType): $ZodType {
  if (schema instanceof z.ZodMiniOptional && isBeyondSpec(schema)) return compile(schema.def.innerType)
  if (!(schema instanceof z.ZodMiniObject)) return schema
  const fields = Object.entries(schema.shape)
  const shape = Object.fromEntries(fields.map(([name, field]) => [name, compile(field)]))
  return new $ZodObjectJIT({ ...schema.def, shape })
}
