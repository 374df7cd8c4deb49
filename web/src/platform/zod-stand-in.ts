// Takes the place of zod inside the contract, in the browser only: see contractWithoutZod in vite.config.ts.

const usedBy = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'options', 'shape', 'enum', '~standard']);

/** Anything may be built with it; asking it to check something is a mistake, and told. */
const schema: unknown = new Proxy(function standIn() {}, {
  get: (_, name) => {
    if (typeof name === 'string' && usedBy.has(name))
      throw new Error(`The contract's schemas are not in the browser (${name}): write the form's own in zod/mini`);
    return schema;
  },
  apply: () => schema,
});

// `z` itself has an `enum`, which makes a schema rather than uses one.
export const z: unknown = new Proxy({}, { get: () => schema });
