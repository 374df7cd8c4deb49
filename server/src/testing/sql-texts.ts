import * as ast from 'typescript/unstable/ast';
import { SymbolFlags, type Project, type Symbol as TypeScriptSymbol } from 'typescript/unstable/sync';

/**
 * Static evaluation of string expressions: finds the texts that an expression can have from constants, templates and pure functions,
 * covering each branch of a condition and each caller's argument at least once. It does not track mutation: a value pushed onto an
 * array later is missing, so the statement of a list has no filters.
 */
export class TextReader {
  private readonly project: Project;
  private readonly declarations = new Map<ast.Node, ast.Node | ObjectConstructor | undefined>();
  private readonly calls = new Map<ast.Node, ast.CallExpression[]>();

  constructor(project: Project) {
    this.project = project;
  }

  /**
   * @param fillers alternative placeholders for values known only at run time
   * @returns each text, once with each of the fillers; null if the whole text is known only at run time
   */
  textsOf(expression: ast.Expression, fillers: readonly string[]): string[][] | null {
    const found = new Map<string, string[]>();
    const choices = new Choices();
    do {
      const texts = fillers.map((filler) => new Evaluation(this, choices, filler).valueOf(expression, new Map()));
      if (!texts.every((text) => typeof text === 'string')) return null;
      found.set(texts.join('\0'), [...new Set(texts)]);
    } while (choices.next());
    return [...found.values()];
  }

  /** The declaration of a name. */
  declarationOf(name: ast.Identifier): ast.Node | ObjectConstructor | undefined {
    const { checker } = this.project;
    if (!this.declarations.has(name)) {
      const isShorthand = ast.isShorthandPropertyAssignment(name.parent);
      const symbol = isShorthand
        ? checker.getShorthandAssignmentValueSymbol(name.parent)
        : checker.getSymbolAtLocation(name);
      this.declarations.set(name, symbol && this.originOf(symbol));
    }
    return this.declarations.get(name);
  }

  private originOf(symbol: TypeScriptSymbol): ast.Node | ObjectConstructor | undefined {
    const origin = symbol.flags & SymbolFlags.Alias ? this.project.checker.getAliasedSymbol(symbol) : symbol;
    return origin.name === 'Object' ? Object : origin.valueDeclaration?.resolve(this.project);
  }

  /** The calls of a function in the product. */
  callsOf(called: ast.Node): ast.CallExpression[] {
    let found = this.calls.get(called);
    if (!found) {
      const usages = this.project.checker.getSignatureUsage(called).map(({ call }) => call?.resolve(this.project));
      found = usages.filter(
        (call) => call !== undefined && ast.isCallExpression(call) && !isOfTests(call.getSourceFile().fileName),
      ) as ast.CallExpression[];
      this.calls.set(called, found);
    }
    return found;
  }
}

export const isOfTests = (file: string) => /\.test\.ts$|\/testing\//.test(file);

/** Enumerates alternatives: at each node of the code, chooses the next untried option until all have been tried. */
class Choices {
  private readonly tried = new Map<ast.Node, number>();
  private current = new Map<ast.Node, number>();
  private hasUntried = false;

  choose<T>(node: ast.Node, options: readonly T[]): T | undefined {
    if (!this.current.has(node)) {
      const next = this.tried.get(node) ?? 0;
      this.current.set(node, next < options.length ? next : 0);
      if (next < options.length) this.tried.set(node, next + 1);
      if (next + 1 < options.length) this.hasUntried = true;
    }
    return options[this.current.get(node) ?? 0];
  }

  /** Starts the next combination. @returns whether there is one */
  next(): boolean {
    const hasUntried = this.hasUntried;
    this.current = new Map();
    this.hasUntried = false;
    return hasUntried;
  }
}

/** The maximum nesting of expressions; anything deeper is recursive. */
const maxDepth = 200;

type Callable = (...args: unknown[]) => unknown;
/** The values of the enclosing functions' parameters and of constants, by their declarations. */
type Scope = Map<ast.Node, unknown>;

class Evaluation {
  private readonly reader: TextReader;
  private readonly choices: Choices;
  /** Stands for a value known only at run time. */
  private readonly unknown: { toString(): string };
  private depth = 0;

  constructor(reader: TextReader, choices: Choices, filler: string) {
    this.reader = reader;
    this.choices = choices;
    this.unknown = { toString: () => filler };
  }

  valueOf(node: ast.Node, scope: Scope): unknown {
    if (this.depth === maxDepth) return this.unknown;
    this.depth++;
    try {
      return this.read(node, scope);
    } finally {
      this.depth--;
    }
  }

  private read(node: ast.Node, scope: Scope): unknown {
    const of = (child: ast.Node) => this.valueOf(child, scope);
    if (ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node)) return node.text;
    if (ast.isNumericLiteral(node)) return Number(node.text);
    if (node.kind === ast.SyntaxKind.TrueKeyword || node.kind === ast.SyntaxKind.FalseKeyword)
      return node.kind === ast.SyntaxKind.TrueKeyword;
    if (ast.isParenthesizedExpression(node) || ast.isAsExpression(node) || ast.isAwaitExpression(node))
      return of(node.expression);
    if (ast.isTemplateExpression(node)) {
      const parts = node.templateSpans.map(({ expression, literal }) => `${String(of(expression))}${literal.text}`);
      return node.head.text + parts.join('');
    }
    if (ast.isIdentifier(node)) return this.valueOfName(node, scope);
    if (ast.isConditionalExpression(node))
      return of(this.evaluateCondition(node.condition, scope) ? node.whenTrue : node.whenFalse);
    if (ast.isPrefixUnaryExpression(node) && node.operator === ast.SyntaxKind.ExclamationToken)
      return !this.evaluateCondition(node.operand, scope);
    if (ast.isBinaryExpression(node)) return this.binary(node, of);
    if (ast.isArrayLiteralExpression(node)) {
      const lists = node.elements.map((item) => (ast.isSpreadElement(item) ? of(item.expression) : [of(item)]));
      return lists.every((list) => Array.isArray(list)) ? lists.flat() : this.unknown;
    }
    if (ast.isObjectLiteralExpression(node)) {
      return Object.fromEntries(
        node.properties.flatMap((property) => {
          if (ast.isSpreadAssignment(property)) {
            const value = of(property.expression);
            return value === this.unknown ? [] : Object.entries(value as object);
          }
          if (!('text' in property.name)) return [];
          if (ast.isPropertyAssignment(property)) return [[property.name.text, of(property.initializer)]];
          return [[property.name.text, of(ast.isShorthandPropertyAssignment(property) ? property.name : property)]];
        }),
      );
    }
    if (ast.isArrowFunction(node) || ast.isFunctionDeclaration(node) || ast.isMethodDeclaration(node)) {
      return (...args: unknown[]) => {
        const bindings = node.parameters.map(
          (parameter, n) => [parameter, args[n] ?? (parameter.initializer && of(parameter.initializer))] as const,
        );
        return this.returnValue(node.body, new Map([...scope, ...bindings]));
      };
    }
    if (ast.isPropertyAccessExpression(node)) return this.member(node, of(node.expression), node.name.text);
    if (ast.isElementAccessExpression(node)) return this.member(node, of(node.expression), of(node.argumentExpression));
    if (ast.isCallExpression(node)) return this.call(of(node.expression), node.arguments.map(of));
    return this.unknown;
  }

  /** Tries both branches if the value is known only at run time. */
  private evaluateCondition(condition: ast.Node, scope: Scope): boolean {
    const value = this.valueOf(condition, scope);
    return value === this.unknown ? this.choices.choose(condition, [true, false]) === true : Boolean(value);
  }

  private binary({ left, operatorToken, right }: ast.BinaryExpression, of: (node: ast.Node) => unknown): unknown {
    const [first, second] = [of(left), of(right)];
    if (operatorToken.kind === ast.SyntaxKind.QuestionQuestionToken)
      return first === this.unknown ? second : (first ?? second);
    if (first === this.unknown || second === this.unknown) return this.unknown;
    if (operatorToken.kind === ast.SyntaxKind.PlusToken) return (first as number) + (second as number);
    if (operatorToken.kind === ast.SyntaxKind.MinusToken) return (first as number) - (second as number);
    if (operatorToken.kind === ast.SyntaxKind.GreaterThanToken) return (first as number) > (second as number);
    if (operatorToken.kind === ast.SyntaxKind.EqualsEqualsEqualsToken) return first === second;
    return this.unknown;
  }

  private call(callee: unknown, args: unknown[]): unknown {
    if (typeof callee !== 'function') return this.unknown;
    try {
      return (callee as Callable)(...args);
    } catch (error) {
      // For example a list mapped by an unknown function.
      if (error instanceof TypeError) return this.unknown;
      throw error;
    }
  }

  private member(node: ast.Node, of: unknown, name: unknown): unknown {
    if (of === this.unknown || of === null || of === undefined) return this.unknown;
    if (name === this.unknown) return this.choices.choose(node, Object.values(of));
    const found = (of as Record<string, unknown>)[name as string];
    return typeof found === 'function' ? found.bind(of) : found;
  }

  /** Evaluates only the statements of a function that determine its return value. */
  private returnValue(body: ast.Node | undefined, scope: Scope): unknown {
    if (!body || !ast.isBlock(body)) return body && this.valueOf(body, scope);
    for (const statement of body.statements) {
      if (ast.isReturnStatement(statement)) return statement.expression && this.valueOf(statement.expression, scope);
      if (!ast.isIfStatement(statement) || !ast.isReturnStatement(statement.thenStatement)) continue;
      const early = statement.thenStatement.expression;
      if (this.evaluateCondition(statement.expression, scope)) return early && this.valueOf(early, scope);
    }
    return undefined;
  }

  private valueOfName(name: ast.Identifier, scope: Scope): unknown {
    if (name.text === 'undefined') return undefined;
    const declaration = this.reader.declarationOf(name);
    if (declaration === Object) return Object;
    return declaration ? this.valueOfDeclaration(declaration as ast.Node, scope) : this.unknown;
  }

  private valueOfDeclaration(node: ast.Node, scope: Scope): unknown {
    if (!scope.has(node)) scope.set(node, this.evaluateDeclaration(node, scope));
    return scope.get(node);
  }

  private evaluateDeclaration(node: ast.Node, scope: Scope): unknown {
    if (ast.isFunctionDeclaration(node)) return this.valueOf(node, scope);
    if (ast.isParameterDeclaration(node)) return this.argumentFor(node);
    if (ast.isBindingElement(node)) {
      const { parent: pattern, propertyName, name, initializer } = node;
      const key = ast.isArrayBindingPattern(pattern)
        ? pattern.elements.indexOf(node)
        : ((propertyName ?? name) as ast.Identifier).text;
      return (
        this.member(node, this.valueOfDeclaration(pattern.parent, scope), key) ??
        (initializer && this.valueOf(initializer, scope))
      );
    }
    if (!ast.isVariableDeclaration(node) || !(node.parent.flags & ast.NodeFlags.Const)) return this.unknown;
    const loop = node.parent.parent;
    if (!ast.isForOfStatement(loop)) return node.initializer ? this.valueOf(node.initializer, scope) : this.unknown;
    const items = this.valueOf(loop.expression, scope);
    return Array.isArray(items) ? this.choices.choose(node, items) : this.unknown;
  }

  /** The argument that one of the callers passes for a parameter. */
  private argumentFor(node: ast.ParameterDeclaration): unknown {
    const callee = node.parent as ast.FunctionLikeDeclaration;
    const call = this.choices.choose(callee, this.reader.callsOf(callee));
    if (!call) return this.unknown;
    const argument = call.arguments[callee.parameters.indexOf(node)] ?? node.initializer;
    return argument && this.valueOf(argument, new Map());
  }
}
