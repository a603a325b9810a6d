/** The part of the library in use, which comes without types. */
interface PrismToken {
  readonly type: string;
  readonly content: string | PrismToken | (string | PrismToken)[];
}

interface Prism {
  readonly languages: Readonly<Record<string, object | undefined>>;
  tokenize(text: string, grammar: object): (string | PrismToken)[];
}

declare const prism: Prism;
export default prism;
export type { PrismToken };
