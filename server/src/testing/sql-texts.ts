import * as ast from 'typescript/unstable/ast';
import { SymbolFlags, type Project, type Symbol as Named } from 'typescript/unstable/sync';

/**
 * Reads from the code, without running it, what texts an expression can be: of constants, templates and pure functions, with each side of a
 * condition and whatever each caller hands in at least once. Nothing is carried out: what is pushed onto a list later is not in it, so the
 * statement of a list comes without its filters.
 */
export class TextReader {
  private readonly project: Project;
  private readonly declarations = new Map<ast.Node, ast.Node | ObjectConstructor | undefined>();
  private readonly calls = new Map<ast.Node, ast.CallExpression[]>();

  constructor(project: Project) {
    this.project = project;
  }

  /**
   * @param fillers in the place of what only a request tells, one after the other
   * @returns each text, once with each of the fillers; null where the whole is told by the request
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

  /** What a name stands for. */
  declarationOf(name: ast.Identifier): ast.Node | ObjectConstructor | undefined {
    const { checker } = this.project;
    if (!this.declarations.has(name)) {
      const isShort = ast.isShorthandPropertyAssignment(name.parent);
      const symbol = isShort
        ? checker.getShorthandAssignmentValueSymbol(name.parent)
        : checker.getSymbolAtLocation(name);
      this.declarations.set(name, symbol && this.originOf(symbol));
    }
    return this.declarations.get(name);
  }

  private originOf(symbol: Named): ast.Node | ObjectConstructor | undefined {
    const origin = symbol.flags & SymbolFlags.Alias ? this.project.checker.getAliasedSymbol(symbol) : symbol;
    return origin.name === 'Object' ? Object : origin.valueDeclaration?.resolve(this.project);
  }

  /** Where the product calls a function. */
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

/** Takes at each place in the code the next option that was not taken yet, until all were. */
class Choices {
  private readonly tried = new Map<ast.Node, number>();
  private now = new Map<ast.Node, number>();
  private isNews = false;

  choose<T>(place: ast.Node, options: readonly T[]): T | undefined {
    if (!this.now.has(place)) {
      const next = this.tried.get(place) ?? 0;
      this.now.set(place, next < options.length ? next : 0);
      if (next < options.length) this.tried.set(place, next + 1);
      if (next + 1 < options.length) this.isNews = true;
    }
    return options[this.now.get(place) ?? 0];
  }

  /** @returns whether something is left to be tried */
  next(): boolean {
    const isNews = this.isNews;
    this.now = new Map();
    this.isNews = false;
    return isNews;
  }
}

/** Expressions within each other: what goes deeper calls itself. */
const deepest = 200;

type Callable = (...args: unknown[]) => unknown;
/** What the parameters of the functions around are, by their declarations, and what was made of constants with them. */
type Scope = Map<ast.Node, unknown>;

class Evaluation {
  private readonly reader: TextReader;
  private readonly choices: Choices;
  /** What only a request tells. */
  private readonly unknown: { toString(): string };
  private depth = 0;

  constructor(reader: TextReader, choices: Choices, filler: string) {
    this.reader = reader;
    this.choices = choices;
    this.unknown = { toString: () => filler };
  }

  valueOf(node: ast.Node, scope: Scope): unknown {
    if (this.depth === deepest) return this.unknown;
    this.depth++;
    try {
      return this.read(node, scope);
    } finally {
      this.depth--;
    }
  }

  private read(node: ast.Node, scope: Scope): unknown {
    const of = (one: ast.Node) => this.valueOf(one, scope);
    if (ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node)) return node.text;
    if (ast.isNumericLiteral(node)) return Number(node.text);
    if (ast.isParenthesizedExpression(node) || ast.isAsExpression(node) || ast.isAwaitExpression(node))
      return of(node.expression);
    if (ast.isTemplateExpression(node)) {
      const parts = node.templateSpans.map(({ expression, literal }) => `${String(of(expression))}${literal.text}`);
      return node.head.text + parts.join('');
    }
    if (ast.isIdentifier(node)) return this.named(node, scope);
    if (ast.isConditionalExpression(node))
      return of(this.holds(node.condition, scope) ? node.whenTrue : node.whenFalse);
    if (ast.isPrefixUnaryExpression(node) && node.operator === ast.SyntaxKind.ExclamationToken)
      return !this.holds(node.operand, scope);
    if (ast.isBinaryExpression(node)) return this.binary(node, of);
    if (ast.isArrayLiteralExpression(node)) {
      const lists = node.elements.map((item) => (ast.isSpreadElement(item) ? of(item.expression) : [of(item)]));
      return lists.every((list) => Array.isArray(list)) ? lists.flat() : this.unknown;
    }
    if (ast.isObjectLiteralExpression(node)) {
      return Object.fromEntries(
        node.properties.flatMap((one) => {
          if (ast.isSpreadAssignment(one) || !('text' in one.name)) return [];
          if (ast.isPropertyAssignment(one)) return [[one.name.text, of(one.initializer)]];
          return [[one.name.text, of(ast.isShorthandPropertyAssignment(one) ? one.name : one)]];
        }),
      );
    }
    if (ast.isArrowFunction(node) || ast.isFunctionDeclaration(node) || ast.isMethodDeclaration(node)) {
      return (...args: unknown[]) => {
        const given = node.parameters.map(
          (parameter, n) => [parameter, args[n] ?? (parameter.initializer && of(parameter.initializer))] as const,
        );
        return this.returned(node.body, new Map([...scope, ...given]));
      };
    }
    if (ast.isPropertyAccessExpression(node)) return this.member(node, of(node.expression), node.name.text);
    if (ast.isElementAccessExpression(node)) return this.member(node, of(node.expression), of(node.argumentExpression));
    if (ast.isCallExpression(node)) return this.called(of(node.expression), node.arguments.map(of));
    return this.unknown;
  }

  /** One way and the other, where a request decides. */
  private holds(condition: ast.Node, scope: Scope): boolean {
    const value = this.valueOf(condition, scope);
    return value === this.unknown ? this.choices.choose(condition, [true, false]) === true : Boolean(value);
  }

  private binary({ left, operatorToken, right }: ast.BinaryExpression, of: (node: ast.Node) => unknown): unknown {
    const [one, other] = [of(left), of(right)];
    if (operatorToken.kind === ast.SyntaxKind.QuestionQuestionToken)
      return one === this.unknown ? other : (one ?? other);
    if (one === this.unknown || other === this.unknown) return this.unknown;
    if (operatorToken.kind === ast.SyntaxKind.PlusToken) return (one as number) + (other as number);
    if (operatorToken.kind === ast.SyntaxKind.GreaterThanToken) return (one as number) > (other as number);
    if (operatorToken.kind === ast.SyntaxKind.EqualsEqualsEqualsToken) return one === other;
    return this.unknown;
  }

  private called(called: unknown, args: unknown[]): unknown {
    if (typeof called !== 'function') return this.unknown;
    try {
      return (called as Callable)(...args);
    } catch (error) {
      // As when a list is mapped by a function that nobody knows.
      if (error instanceof TypeError) return this.unknown;
      throw error;
    }
  }

  private member(place: ast.Node, of: unknown, name: unknown): unknown {
    if (of === this.unknown || of === null || of === undefined) return this.unknown;
    if (name === this.unknown) return this.choices.choose(place, Object.values(of));
    const found = (of as Record<string, unknown>)[name as string];
    return typeof found === 'function' ? found.bind(of) : found;
  }

  /** Of a function's statements those that decide what it returns. */
  private returned(body: ast.Node | undefined, scope: Scope): unknown {
    if (!body || !ast.isBlock(body)) return body && this.valueOf(body, scope);
    for (const statement of body.statements) {
      if (ast.isReturnStatement(statement)) return statement.expression && this.valueOf(statement.expression, scope);
      if (!ast.isIfStatement(statement) || !ast.isReturnStatement(statement.thenStatement)) continue;
      const early = statement.thenStatement.expression;
      if (this.holds(statement.expression, scope)) return early && this.valueOf(early, scope);
    }
    return undefined;
  }

  private named(name: ast.Identifier, scope: Scope): unknown {
    if (name.text === 'undefined') return undefined;
    const declaration = this.reader.declarationOf(name);
    if (declaration === Object) return Object;
    return declaration ? this.declared(declaration as ast.Node, scope) : this.unknown;
  }

  private declared(node: ast.Node, scope: Scope): unknown {
    if (!scope.has(node)) scope.set(node, this.initial(node, scope));
    return scope.get(node);
  }

  private initial(node: ast.Node, scope: Scope): unknown {
    if (ast.isFunctionDeclaration(node)) return this.valueOf(node, scope);
    if (ast.isParameterDeclaration(node)) return this.handedIn(node);
    if (ast.isBindingElement(node)) {
      const { parent: pattern, propertyName, name, initializer } = node;
      const key = ast.isArrayBindingPattern(pattern)
        ? pattern.elements.indexOf(node)
        : ((propertyName ?? name) as ast.Identifier).text;
      return (
        this.member(node, this.declared(pattern.parent, scope), key) ??
        (initializer && this.valueOf(initializer, scope))
      );
    }
    if (!ast.isVariableDeclaration(node) || !(node.parent.flags & ast.NodeFlags.Const)) return this.unknown;
    const loop = node.parent.parent;
    if (!ast.isForOfStatement(loop)) return node.initializer ? this.valueOf(node.initializer, scope) : this.unknown;
    const items = this.valueOf(loop.expression, scope);
    return Array.isArray(items) ? this.choices.choose(node, items) : this.unknown;
  }

  /** By one of the callers. */
  private handedIn(node: ast.ParameterDeclaration): unknown {
    const around = node.parent as ast.FunctionLikeDeclaration;
    const call = this.choices.choose(around, this.reader.callsOf(around));
    if (!call) return this.unknown;
    const argument = call.arguments[around.parameters.indexOf(node)] ?? node.initializer;
    return argument && this.valueOf(argument, new Map());
  }
}
