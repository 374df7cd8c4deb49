/** A schema as the OpenAPI document has it. */
export type JsonSchema = { [key: string]: unknown };
