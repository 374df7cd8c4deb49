import { TypeFlags, type Checker, type Project, type Type } from 'typescript/unstable/sync';
import type { Column } from './statements.ts';

/** What a member of a row type says. */
interface Member {
  name: string;
  declared: string;
  bare: Type;
  isNullable: boolean;
}

/** @returns what tells where a row type says something else than its statement, a sentence each */
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
          bare: checker.getNonNullableType(type) ?? type,
          isNullable,
        };
      });
    rows.set(row.id, members);
    return members;
  };
  const fitting = new Map<string, boolean>();
  const fits = (declared: Type, type: string | null) => {
    const key = `${declared.id} ${type}`;
    const isSo = fitting.get(key) ?? canBe(checker, declared, type);
    fitting.set(key, isSo);
    return isSo;
  };
  return (row, columns, text) => {
    const members = membersOf(row);
    const missing = members.filter(({ name }) => columns.every((column) => column.name !== name));
    return [
      ...missing.map(({ name }) => `there is no column ${name}`),
      ...columns.flatMap((column) => {
        const member = members.find(({ name }) => name === column.name);
        if (!member) return column.from === null ? [] : [`the column ${column.name} is not in the type`];
        const { name, declared, bare, isNullable } = member;
        return [
          ...(isNullable || !canBeNull(column, text) ? [] : [`${name} can be null, and is declared ${declared}`]),
          ...(fits(bare, column.type)
            ? []
            : [`${name} comes as ${column.type ?? 'JSON'}, and is declared ${declared}`]),
        ];
      }),
    ];
  };
}

/** Whether a value of a type can be declared so. Less than the type is fine, as of a text the words that it can be, and so is more. */
function canBe(checker: Checker, declared: Type, type: string | null): boolean {
  if (declared.flags & TypeFlags.AnyOrUnknown) return true;
  const kinds = declared.isUnionType() ? declared.getTypes() : [declared];
  const isOf = (one: Type, name: string) => new RegExp(`^${name}\\b`).test(checker.typeToString(one));
  if (type === null) return !kinds.some((one) => isOf(one, 'Date') || isOf(one, 'Buffer'));
  if (type === 'Date' || type === 'Buffer') return kinds.some((one) => isOf(one, type));
  if (type.endsWith('[]'))
    return kinds.some((one) => {
      const [element] = checker.isArrayType(one) && one.isTypeReference() ? checker.getTypeArguments(one) : [];
      return element !== undefined && canBe(checker, element, type.slice(0, -2));
    });
  const whole = { string: checker.getStringType(), number: checker.getNumberType(), boolean: checker.getBooleanType() }[
    type
  ];
  return whole !== undefined && kinds.some((one) => checker.isTypeAssignableTo(one, whole));
}

/** As far as that can be told: of columns of tables, and by the text. */
function canBeNull({ from }: Column, text: string): boolean {
  if (!from) return false;
  const { table, column, nullable } = from;
  const joins = [...text.matchAll(new RegExp(`(left join|join|from|into|update|,)\\s+${table}\\b`, 'g'))];
  if (joins.length > 0 && joins.every(([, join]) => join === 'left join')) return true;
  if (!nullable || /^\s*insert\b/.test(text)) return false;
  // Deleted users alone have none, as a check of the table says.
  if (table === 'users' && (column === 'name' || column === 'email') && /\bdeleted_at is null\b/.test(text))
    return false;
  // A comparison leaves out what is null.
  return !new RegExp(`\\b${column} (is not null|=|<|>|in )`).test(text.slice(text.search(/\bwhere\b/)));
}
