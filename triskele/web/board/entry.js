/**
 * A half-entered move: which tokens were given, and what can follow. Pure: it knows no page and no game.
 *
 * @typedef {{text: string, spellings: string[][], interrupt?: boolean}} Move `interrupt`: it is made out of turn
 */

/** @param {import("../lib/protocol.js").ListedMove[]} listed moves as the server lists them @returns {Move[]} */
export const movesOf = (listed) => listed.map(([text, spellings]) => ({ text, spellings }));

/** The number in a token that says how many. @param {string} token */
export const amountOf = (token) => Number(token.replace(/^\D/, ""));

export class Entry {
  /** @param {Move[]} moves all that the seat may make now, interrupts included */
  constructor(moves) {
    this.moves = moves;
    /** @type {string[]} */
    this.tokens = [];
  }

  /**
   * The spellings that begin with these tokens.
   * @param {string[]} tokens @returns {{text: string, rest: string[]}[]}
   */
  #after(tokens) {
    const found = [];
    for (const { text, spellings } of this.moves) {
      for (const spelling of spellings) {
        if (tokens.every((token, i) => spelling[i] === token))
          found.push({
            text,
            rest: spelling.slice(tokens.length),
          });
      }
    }
    return found;
  }

  /**
   * What can follow: for each token, the move that it makes whole, or `null` when more must come.
   * @returns {Map<string, string | null>}
   */
  next() {
    /** @type {Map<string, string | null>} */
    const next = new Map();
    for (const { text, rest } of this.#after(this.tokens))
      if (rest.length) next.set(rest[0], rest.length === 1 ? text : null);
    return next;
  }

  /** The text of the move when it is whole. @returns {string | null} */
  get move() {
    return this.#after(this.tokens).find(({ rest }) => rest.length === 0)?.text ?? null;
  }

  /** Add tokens if some move continues with them; returns whether. @param {...string} tokens */
  choose(...tokens) {
    const longer = [...this.tokens, ...tokens];
    if (!this.#after(longer).length) return false;
    this.tokens = longer;
    return true;
  }

  /** Whether some move begins with what was entered and then these tokens. @param {...string} tokens */
  allows(...tokens) {
    return this.#after([...this.tokens, ...tokens]).length > 0;
  }

  /**
   * The spelling that begins with these tokens of one of some moves, if there is one.
   * @param {string[]} texts of the moves @param {...string} tokens
   */
  spelled(texts, ...tokens) {
    const spellings = this.moves.flatMap((move) => (texts.includes(move.text) ? move.spellings : []));
    return spellings.find((spelling) => tokens.every((token, i) => spelling[i] === token));
  }

  /** Whether these tokens are a whole move. @param {string[]} tokens */
  completes(tokens) {
    return this.#after(tokens).some(({ rest }) => rest.length === 0);
  }

  /**
   * Where nothing is open any more but how many: choose all that comes before the number; returns how many tokens that
   * are. Of several orders any will do.
   */
  advance() {
    const found = this.tokens.length ? this.#after(this.tokens) : [];
    const counted = found.every(({ rest }) => rest.length > 1 && /^\d+$/.test(rest.at(-1) ?? ""));
    const numbers = new Set(found.map(({ rest }) => rest.at(-1)));
    const moves = new Set(found.map(({ text }) => text));
    if (!found.length || !counted || moves.size !== numbers.size) return 0;
    const [{ rest }] = found;
    this.choose(...rest.slice(0, -1));
    return rest.length - 1;
  }

  /** Take the last token back; returns whether there was one. */
  back() {
    return this.tokens.pop() !== undefined;
  }

  clear() {
    this.tokens = [];
  }

  /**
   * The tokens to enter when a place is touched: its own, or the one token that is no place and can come before it,
   * then its own (so that a field can be touched without saying first what for).
   * @param {string} token @param {(token: string) => boolean} isPlace @returns {string[] | null}
   */
  reach(token, isPlace) {
    const next = this.next();
    if (next.has(token)) return [token];
    const leading = [...next.keys()].filter((first) => !isPlace(first) && this.allows(first, token));
    return leading.length === 1 ? [leading[0], token] : null;
  }

  /**
   * The tokens that can follow, in order, when they say how many of something and nothing else can follow: numbers, or
   * before anything is entered a letter and a number each, if they are no places.
   * @param {(token: string) => boolean} isPlace @returns {string[] | null}
   */
  amounts(isPlace) {
    const next = [...this.next().keys()];
    const form = this.tokens.length ? /^\d+$/ : new RegExp(`^${next[0]?.charAt(0)}\\d+$`);
    const numbers = next.length > 0 && next.every((token) => form.test(token) && !isPlace(token));
    if (!numbers || (!this.tokens.length && !/^[a-z]/.test(next[0]))) return null;
    return next.toSorted((a, b) => amountOf(a) - amountOf(b));
  }

  /**
   * When all that can follow is a word of fixed length over a few tokens, each of which may stand anywhere in it: that
   * alphabet, the tokens of the word that are given, and how many are left. A picker then serves better than the board.
   * @returns {{alphabet: string[], given: string[], left: number} | null}
   */
  word() {
    for (let begin = 0; begin <= this.tokens.length; begin++) {
      const words = this.#after(this.tokens.slice(0, begin)).map(({ rest }) => rest);
      const alphabet = [...new Set(words.flat())].sort();
      const length = words[0]?.length ?? 0;
      const alike = words.length > 1 && words.every((word) => word.length === length);
      const repeats = alike && alphabet.length <= 8 && length >= 3 && words.some((word) => new Set(word).size < length);
      /** @param {unknown} _ @param {number} i */
      const slot = (_, i) => new Set(words.map((word) => word[i])).size;
      if (repeats && Array.from({ length }, slot).every((size) => size === alphabet.length)) {
        const given = this.tokens.slice(begin);
        return { alphabet, given, left: length - given.length };
      }
    }
    return null;
  }
}
