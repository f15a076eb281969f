import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LineTagger } from '../../src/cli/guard/line-tagger.ts';

const TAG = '[r1] ';

function tagged(...chunks: readonly (string | Uint8Array)[]): Buffer {
  const tagger = new LineTagger(TAG);
  return Buffer.concat([...chunks.map((chunk) => tagger.push(Buffer.from(chunk as string))), tagger.end()]);
}

describe('a tagged stream', () => {
  it('has the tag before every line, wherever the pieces end', () => {
    assert.equal(tagged('one\ntw', 'o\n', '\nfour\n').toString(), '[r1] one\n[r1] two\n[r1] \n[r1] four\n');
  });

  it('keeps a last line without its end as it is', () => {
    assert.equal(tagged('one\nlast').toString(), '[r1] one\n[r1] last');
    assert.equal(tagged('').toString(), '');
    assert.equal(tagged('one\n').toString(), '[r1] one\n');
  });

  it('hands a line on when its end has come, and not before', () => {
    const tagger = new LineTagger(TAG);
    assert.equal(tagger.push(Buffer.from('half')).toString(), '');
    assert.equal(tagger.push(Buffer.from(' a line\nand')).toString(), '[r1] half a line\n');
  });

  it('hands a line of a megabyte on in pieces, tagged once', () => {
    const tagger = new LineTagger(TAG);
    const pieces = Array.from({ length: 32 }, () => tagger.push(Buffer.alloc(32_768, 'x')));
    assert.ok(pieces.filter((piece) => piece.length > 0).length > 8);
    const whole = Buffer.concat([...pieces, tagger.push(Buffer.from('\nnext\n'))]).toString();
    assert.equal(whole, `${TAG}${'x'.repeat(32 * 32_768)}\n${TAG}next\n`);
  });

  it('loses and changes no byte, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
        const bytes = Buffer.concat(chunks);
        const lines = bytes.toString('latin1').split(/(?<=\n)/);
        const expected = lines.map((line) => (line === '' ? '' : `${TAG}${line}`)).join('');
        assert.equal(tagged(...chunks).toString('latin1'), expected);
      }),
    );
  });
});
