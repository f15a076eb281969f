/** Numbers of rows, one after the other. */
export class RowList {
  #rows: Int32Array;
  #count = 0;

  constructor(capacity: number) {
    this.#rows = new Int32Array(capacity);
  }

  add(row: number): void {
    if (this.#count === this.#rows.length) {
      const larger = new Int32Array(Math.max(16, this.#count * 2));
      larger.set(this.#rows);
      this.#rows = larger;
    }
    this.#rows[this.#count] = row;
    this.#count += 1;
  }

  rows(): Int32Array {
    return this.#count === this.#rows.length ? this.#rows : this.#rows.slice(0, this.#count);
  }
}
