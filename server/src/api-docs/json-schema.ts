/** A JSON Schema object in the OpenAPI document. */
export type JsonSchema = { [key: string]: unknown };
