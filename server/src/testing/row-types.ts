import { TypeFlags, type Checker, type Project, type Type } from 'typescript/unstable/sync';
import type { Column } from './statements.ts';

/** A property of a row type. */
interface Member {
  name: string;
  declared: string;
  nonNullable: Type;
  isNullable: boolean;
}

/** @returns a function that lists the differences between a row type and the columns of its statement, a sentence each */
export function openComparison({ checker }: Project): (row: Type, columns: Column[], text: string) => string[] {
  const rows = new Map<number, Member[]>();
  const membersOf = (row: Type) => {
    const members =
      rows.get(row.id) ??
      checker.getPropertiesOfType(row).map((symbol): Member => {
        const type = checker.getTypeOfSymbol(symbol) ?? checker.getUnknownType();
        const isNullable = checker.isTypeAssignableTo(checker.getNullType(), type);
        return {
          name: symbol.name,
          declared: checker.typeToString(type),
          nonNullable: checker.getNonNullableType(type) ?? type,
          isNullable,
        };
      });
    rows.set(row.id, members);
    return members;
  };
  const assignable = new Map<string, boolean>();
  const isAssignable = (declared: Type, type: string | null) => {
    const key = `${declared.id} ${type}`;
    const result = assignable.get(key) ?? canBe(checker, declared, type);
    assignable.set(key, result);
    return result;
  };
  return (row, columns, text) => {
    const members = membersOf(row);
    const missing = members.filter(({ name }) => columns.every((column) => column.name !== name));
    return [
      ...missing.map(({ name }) => `there is no column ${name}`),
      ...columns.flatMap((column) => {
        const member = members.find(({ name }) => name === column.name);
        if (!member) return column.from === null ? [] : [`the column ${column.name} is not in the type`];
        const { name, declared, nonNullable, isNullable } = member;
        return [
          ...(isNullable || !canBeNull(column, text) ? [] : [`${name} can be null, and is declared ${declared}`]),
          ...(isAssignable(nonNullable, column.type)
            ? []
            : [`${name} comes as ${column.type ?? 'JSON'}, and is declared ${declared}`]),
        ];
      }),
    ];
  };
}

/** Whether a column of this type may be declared so; also as a subtype, such as a union of string literals, or a supertype. */
function canBe(checker: Checker, declared: Type, type: string | null): boolean {
  if (declared.flags & TypeFlags.AnyOrUnknown) return true;
  const kinds = declared.isUnionType() ? declared.getTypes() : [declared];
  const isNamed = (kind: Type, name: string) => new RegExp(`^${name}\\b`).test(checker.typeToString(kind));
  if (type === null) return !kinds.some((kind) => isNamed(kind, 'Date') || isNamed(kind, 'Buffer'));
  if (type === 'Date' || type === 'Buffer') return kinds.some((kind) => isNamed(kind, type));
  if (type.endsWith('[]'))
    return kinds.some((kind) => {
      const [element] = checker.isArrayType(kind) && kind.isTypeReference() ? checker.getTypeArguments(kind) : [];
      return element !== undefined && canBe(checker, element, type.slice(0, -2));
    });
  const primitive = {
    string: checker.getStringType(),
    number: checker.getNumberType(),
    boolean: checker.getBooleanType(),
  }[type];
  return primitive !== undefined && kinds.some((kind) => checker.isTypeAssignableTo(kind, primitive));
}

/** Whether a column can be null, as far as the catalog and the text of the statement show; false for computed columns. */
function canBeNull({ from }: Column, text: string): boolean {
  if (!from) return false;
  const { table, column, nullable } = from;
  const joins = [...text.matchAll(new RegExp(`(left join|join|from|into|update|,)\\s+${table}\\b`, 'g'))];
  if (joins.length > 0 && joins.every(([, join]) => join === 'left join')) return true;
  if (!nullable || /^\s*insert\b/.test(text)) return false;
  // Only deleted users have none, by a check constraint.
  if (table === 'users' && (column === 'name' || column === 'email') && /\bdeleted_at is null\b/.test(text))
    return false;
  // A comparison excludes nulls.
  return !new RegExp(`\\b${column} (is not null|=|<|>|in )`).test(text.slice(text.search(/\bwhere\b/)));
}
