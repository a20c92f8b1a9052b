export const pickDefined = <T extends object, const Name extends keyof T>(
  from: T,
  names: readonly Name[],
): { [N in Name]?: Exclude<T[N], undefined> } =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]]))) as never
