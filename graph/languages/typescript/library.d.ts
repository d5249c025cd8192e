// What the linker knows of the standard library: the members whose result or whose callback's parameters carry a type on.
// Members that are not listed are external all the same, with a result of which nothing is known.

interface Object { toString(): string; toLocaleString(): string; valueOf(): Object; hasOwnProperty(key: string): boolean; isPrototypeOf(value: any): boolean; propertyIsEnumerable(key: string): boolean; }
interface ObjectConstructor {
  new (value?: any): Object;
  (value?: any): Object;
  keys(value: any): string[];
  values<T>(value: { [key: string]: T }): T[];
  entries<T>(value: { [key: string]: T }): [string, T][];
  assign<T, U, V, W>(target: T, first?: U, second?: V, third?: W): T & U & V & W;
  freeze<T>(value: T): T;
  seal<T>(value: T): T;
  preventExtensions<T>(value: T): T;
  defineProperty<T>(value: T, key: string, attributes: any): T;
  defineProperties<T>(value: T, attributes: any): T;
  setPrototypeOf<T>(value: T, prototype: any): T;
  create<T>(prototype: T, properties?: any): T;
  fromEntries<T>(entries: Iterable<[string, T]>): { [key: string]: T };
  getOwnPropertyNames(value: any): string[];
  is(one: any, other: any): boolean;
  hasOwn(value: any, key: string): boolean;
  isFrozen(value: any): boolean;
}
declare const Object: ObjectConstructor;

interface Function { readonly name: string; readonly length: number; toString(): string; }
interface FunctionConstructor { new (...parts: string[]): Function; (...parts: string[]): Function; }
declare const Function: FunctionConstructor;

interface Boolean { valueOf(): boolean; }
interface BooleanConstructor { new (value?: any): Boolean; (value?: any): boolean; }
declare const Boolean: BooleanConstructor;

interface Symbol { toString(): string; readonly description: string; }
interface SymbolConstructor { (name?: string): symbol; for(key: string): symbol; keyFor(value: symbol): string; readonly iterator: symbol; readonly asyncIterator: symbol; }
declare const Symbol: SymbolConstructor;

interface Number { toFixed(digits?: number): string; toString(radix?: number): string; toPrecision(digits?: number): string; toExponential(digits?: number): string; valueOf(): number; toLocaleString(): string; }
interface NumberConstructor {
  new (value?: any): Number;
  (value?: any): number;
  isInteger(value: any): boolean;
  isSafeInteger(value: any): boolean;
  isFinite(value: any): boolean;
  isNaN(value: any): boolean;
  parseInt(text: string, radix?: number): number;
  parseFloat(text: string): number;
  readonly MAX_SAFE_INTEGER: number;
  readonly MIN_SAFE_INTEGER: number;
  readonly MAX_VALUE: number;
  readonly MIN_VALUE: number;
  readonly POSITIVE_INFINITY: number;
  readonly NEGATIVE_INFINITY: number;
  readonly EPSILON: number;
  readonly NaN: number;
}
declare const Number: NumberConstructor;
interface BigInt { toString(radix?: number): string; valueOf(): bigint; }
interface BigIntConstructor { (value: any): bigint; asIntN(bits: number, value: bigint): bigint; asUintN(bits: number, value: bigint): bigint; }
declare const BigInt: BigIntConstructor;

interface String extends Iterable<string> {
  readonly length: number;
  at(index: number): string;
  charAt(index: number): string;
  charCodeAt(index: number): number;
  codePointAt(index: number): number;
  concat(...parts: string[]): string;
  endsWith(text: string, end?: number): boolean;
  includes(text: string, start?: number): boolean;
  indexOf(text: string, start?: number): number;
  lastIndexOf(text: string, start?: number): number;
  localeCompare(other: string, locales?: any, options?: any): number;
  match(pattern: any): RegExpMatchArray;
  matchAll(pattern: any): IterableIterator<RegExpMatchArray>;
  normalize(form?: string): string;
  padEnd(length: number, fill?: string): string;
  padStart(length: number, fill?: string): string;
  repeat(count: number): string;
  replace(pattern: any, replacement: any): string;
  replaceAll(pattern: any, replacement: any): string;
  search(pattern: any): number;
  slice(start?: number, end?: number): string;
  split(separator?: any, limit?: number): string[];
  startsWith(text: string, start?: number): boolean;
  substr(start: number, length?: number): string;
  substring(start: number, end?: number): string;
  toLocaleLowerCase(): string;
  toLocaleUpperCase(): string;
  toLowerCase(): string;
  toUpperCase(): string;
  toString(): string;
  trim(): string;
  trimEnd(): string;
  trimStart(): string;
  valueOf(): string;
  [index: number]: string;
}
interface StringConstructor { new (value?: any): String; (value?: any): string; fromCharCode(...codes: number[]): string; fromCodePoint(...codes: number[]): string; raw(template: any, ...parts: any[]): string; }
declare const String: StringConstructor;

interface Iterator<T, R = any, N = any> extends Iterable<T> { next(...values: N[]): IteratorResult<T, R>; return(value?: R): IteratorResult<T, R>; throw(error?: any): IteratorResult<T, R>; map<U>(callback: (value: T, index: number) => U): IteratorObject<U>; filter(callback: (value: T, index: number) => unknown): IteratorObject<T>; toArray(): T[]; forEach(callback: (value: T, index: number) => void): void; find(callback: (value: T, index: number) => unknown): T; some(callback: (value: T, index: number) => unknown): boolean; every(callback: (value: T, index: number) => unknown): boolean; }
interface IteratorResult<T, R = any> { done: boolean; value: T; }
interface IteratorYieldResult<T> { done: boolean; value: T; }
interface IteratorReturnResult<T> { done: boolean; value: T; }
interface Iterable<T, R = any, N = any> { }
interface IterableIterator<T, R = any, N = any> extends Iterator<T, R, N> { }
interface IteratorObject<T, R = any, N = any> extends Iterator<T, R, N> { }
interface MapIterator<T> extends Iterator<T> { }
interface SetIterator<T> extends Iterator<T> { }
interface ArrayIterator<T> extends Iterator<T> { }
interface Generator<T, R = any, N = any> extends Iterator<T, R, N> { }
interface AsyncIterable<T, R = any, N = any> { }
interface AsyncIterator<T, R = any, N = any> extends AsyncIterable<T> { next(...values: N[]): Promise<IteratorResult<T, R>>; return(value?: R): Promise<IteratorResult<T, R>>; throw(error?: any): Promise<IteratorResult<T, R>>; }
interface AsyncIterableIterator<T, R = any, N = any> extends AsyncIterator<T, R, N> { }
interface AsyncGenerator<T, R = any, N = any> extends AsyncIterator<T, R, N> { }
interface ArrayLike<T> { readonly length: number; [index: number]: T; }

interface ReadonlyArray<T> extends Iterable<T> {
  readonly length: number;
  at(index: number): T;
  concat(...items: any[]): T[];
  entries(): IterableIterator<[number, T]>;
  every(callback: (value: T, index: number, array: T[]) => unknown, self?: any): boolean;
  filter(callback: (value: T, index: number, array: T[]) => unknown, self?: any): T[];
  find(callback: (value: T, index: number, array: T[]) => unknown, self?: any): T;
  findIndex(callback: (value: T, index: number, array: T[]) => unknown, self?: any): number;
  findLast(callback: (value: T, index: number, array: T[]) => unknown, self?: any): T;
  findLastIndex(callback: (value: T, index: number, array: T[]) => unknown, self?: any): number;
  flat(depth?: number): any[];
  flatMap<U>(callback: (value: T, index: number, array: T[]) => U | U[], self?: any): U[];
  forEach(callback: (value: T, index: number, array: T[]) => void, self?: any): void;
  includes(item: T, start?: number): boolean;
  indexOf(item: T, start?: number): number;
  join(separator?: string): string;
  keys(): IterableIterator<number>;
  lastIndexOf(item: T, start?: number): number;
  map<U>(callback: (value: T, index: number, array: T[]) => U, self?: any): U[];
  reduce<U>(callback: (sum: U, value: T, index: number, array: T[]) => U, initial: U): U;
  reduce(callback: (sum: T, value: T, index: number, array: T[]) => T): T;
  reduceRight<U>(callback: (sum: U, value: T, index: number, array: T[]) => U, initial: U): U;
  reduceRight(callback: (sum: T, value: T, index: number, array: T[]) => T): T;
  slice(start?: number, end?: number): T[];
  some(callback: (value: T, index: number, array: T[]) => unknown, self?: any): boolean;
  toReversed(): T[];
  toSorted(compare?: (one: T, other: T) => number): T[];
  toSpliced(start: number, count?: number, ...items: T[]): T[];
  values(): IterableIterator<T>;
  with(index: number, value: T): T[];
  [index: number]: T;
}
interface Array<T> extends ReadonlyArray<T> {
  copyWithin(target: number, start: number, end?: number): T[];
  fill(value: T, start?: number, end?: number): T[];
  pop(): T;
  push(...items: T[]): number;
  reverse(): T[];
  shift(): T;
  sort(compare?: (one: T, other: T) => number): T[];
  splice(start: number, count?: number, ...items: T[]): T[];
  unshift(...items: T[]): number;
}
interface ArrayConstructor {
  new <T>(...items: T[]): T[];
  <T>(...items: T[]): T[];
  isArray(value: any): boolean;
  from<T, U>(items: Iterable<T>, callback: (value: T, index: number) => U): U[];
  from<T>(items: Iterable<T>): T[];
  of<T>(...items: T[]): T[];
}
declare const Array: ArrayConstructor;

interface PromiseLike<T> { then<U>(done?: (value: T) => U | PromiseLike<U>, failed?: (reason: any) => any): PromiseLike<U>; }
interface Promise<T> extends PromiseLike<T> {
  then<U>(done?: (value: T) => U | PromiseLike<U>, failed?: (reason: any) => any): Promise<U>;
  catch<U>(failed?: (reason: any) => U | PromiseLike<U>): Promise<T>;
  finally(callback?: () => void): Promise<T>;
}
interface PromiseConstructor {
  new <T>(executor: (resolve: (value: T) => void, reject: (reason: any) => void) => void): Promise<T>;
  all<T>(values: Iterable<T | PromiseLike<T>>): Promise<T[]>;
  allSettled<T>(values: Iterable<T | PromiseLike<T>>): Promise<PromiseSettledResult<T>[]>;
  any<T>(values: Iterable<T | PromiseLike<T>>): Promise<T>;
  race<T>(values: Iterable<T | PromiseLike<T>>): Promise<T>;
  resolve<T>(value?: T | PromiseLike<T>): Promise<T>;
  reject(reason?: any): Promise<any>;
}
interface PromiseSettledResult<T> { status: string; value: T; reason: any; }
declare const Promise: PromiseConstructor;

interface ReadonlyMap<K, V> extends Iterable<[K, V]> {
  readonly size: number;
  entries(): IterableIterator<[K, V]>;
  forEach(callback: (value: V, key: K, map: Map<K, V>) => void, self?: any): void;
  get(key: K): V;
  has(key: K): boolean;
  keys(): IterableIterator<K>;
  values(): IterableIterator<V>;
}
interface Map<K, V> extends ReadonlyMap<K, V> { clear(): void; delete(key: K): boolean; set(key: K, value: V): Map<K, V>; }
interface MapConstructor { new <K, V>(entries?: Iterable<[K, V]>): Map<K, V>; groupBy<K, V>(items: Iterable<V>, key: (value: V, index: number) => K): Map<K, V[]>; }
declare const Map: MapConstructor;
interface WeakMap<K, V> { delete(key: K): boolean; get(key: K): V; has(key: K): boolean; set(key: K, value: V): WeakMap<K, V>; }
interface WeakMapConstructor { new <K, V>(entries?: Iterable<[K, V]>): WeakMap<K, V>; }
declare const WeakMap: WeakMapConstructor;
interface ReadonlySet<T> extends Iterable<T> {
  readonly size: number;
  entries(): IterableIterator<[T, T]>;
  forEach(callback: (value: T, key: T, set: Set<T>) => void, self?: any): void;
  has(value: T): boolean;
  keys(): IterableIterator<T>;
  values(): IterableIterator<T>;
  union<U>(other: Iterable<U>): Set<T | U>;
  difference<U>(other: Iterable<U>): Set<T>;
  intersection<U>(other: Iterable<U>): Set<T>;
  isSubsetOf(other: any): boolean;
}
interface Set<T> extends ReadonlySet<T> { add(value: T): Set<T>; clear(): void; delete(value: T): boolean; }
interface SetConstructor { new <T>(items?: Iterable<T>): Set<T>; }
declare const Set: SetConstructor;
interface WeakSet<T> { add(value: T): WeakSet<T>; delete(value: T): boolean; has(value: T): boolean; }
interface WeakSetConstructor { new <T>(items?: Iterable<T>): WeakSet<T>; }
declare const WeakSet: WeakSetConstructor;
interface WeakRef<T> { deref(): T; }
interface WeakRefConstructor { new <T>(target: T): WeakRef<T>; }
declare const WeakRef: WeakRefConstructor;

interface Error { name: string; message: string; stack: string; cause: any; }
interface ErrorConstructor { new (message?: string, options?: any): Error; (message?: string): Error; captureStackTrace(target: any, function_?: any): void; stackTraceLimit: number; }
declare const Error: ErrorConstructor;
interface EvalError extends Error { }
declare const EvalError: { new (message?: string): EvalError; (message?: string): EvalError; };
interface RangeError extends Error { }
declare const RangeError: { new (message?: string): RangeError; (message?: string): RangeError; };
interface ReferenceError extends Error { }
declare const ReferenceError: { new (message?: string): ReferenceError; (message?: string): ReferenceError; };
interface SyntaxError extends Error { }
declare const SyntaxError: { new (message?: string): SyntaxError; (message?: string): SyntaxError; };
interface TypeError extends Error { }
declare const TypeError: { new (message?: string): TypeError; (message?: string): TypeError; };
interface URIError extends Error { }
declare const URIError: { new (message?: string): URIError; (message?: string): URIError; };
interface AggregateError extends Error { errors: any[]; }
declare const AggregateError: { new (errors: any, message?: string): AggregateError; (errors: any, message?: string): AggregateError; };

interface RegExpMatchArray extends Array<string> { index: number; input: string; groups: { [key: string]: string }; }
interface RegExpExecArray extends Array<string> { index: number; input: string; groups: { [key: string]: string }; }
interface RegExp { exec(text: string): RegExpExecArray; test(text: string): boolean; toString(): string; readonly source: string; readonly flags: string; readonly global: boolean; lastIndex: number; }
interface RegExpConstructor { new (pattern: any, flags?: string): RegExp; (pattern: any, flags?: string): RegExp; }
declare const RegExp: RegExpConstructor;
interface Date { getTime(): number; toISOString(): string; valueOf(): number; getFullYear(): number; getMonth(): number; getDate(): number; getDay(): number; getHours(): number; getMinutes(): number; getSeconds(): number; getMilliseconds(): number; toJSON(): string; toString(): string; }
interface DateConstructor { new (...parts: any[]): Date; (): string; now(): number; parse(text: string): number; UTC(...parts: number[]): number; }
declare const Date: DateConstructor;
interface JSON { parse(text: string, reviver?: any): any; stringify(value: any, replacer?: any, space?: any): string; }
declare const JSON: JSON;
interface Math { abs(x: number): number; ceil(x: number): number; floor(x: number): number; max(...x: number[]): number; min(...x: number[]): number; pow(x: number, y: number): number; random(): number; round(x: number): number; sqrt(x: number): number; trunc(x: number): number; sign(x: number): number; readonly PI: number; readonly E: number; }
declare const Math: Math;
interface Console { log(...data: any[]): void; error(...data: any[]): void; warn(...data: any[]): void; info(...data: any[]): void; debug(...data: any[]): void; }
declare const console: Console;

type Partial<T> = T;
type Required<T> = T;
type Readonly<T> = T;
type NonNullable<T> = T;
type NoInfer<T> = T;
type Pick<T, K> = T;
type Omit<T, K> = T;
type Exclude<T, U> = T;
type Record<K, V> = { [key: string]: V };
type PropertyKey = string;
type Uppercase<T> = string;
type Lowercase<T> = string;
type Capitalize<T> = string;
type Uncapitalize<T> = string;
