import { describe, expect, it } from 'vitest';
import { testAt } from './test-at.ts';

/** The test at the line that has a mark, which is taken out. */
function at(language: string, text: string) {
  const line = text.split('\n').findIndex((line) => line.includes('<<'));
  return testAt(language, text.replace('<<', ''), line)?.names;
}

describe('the test at the cursor', () => {
  it('in Python', () => {
    const text = (mark: number) =>
      [
        'def helper():',
        '    pass',
        'class TestA:',
        '    @slow',
        '    async def test_b(self):',
        '        def inner():',
        '            return 1',
        '',
        '        assert inner()',
        'x = 1',
      ]
        .map((line, at) => (at === mark ? `${line}<<` : line))
        .join('\n');
    for (const mark of [3, 4, 5, 6, 8])
      expect(at('python', text(mark))).toEqual(['TestA', 'test_b']);
    expect(at('python', text(2))).toEqual(['TestA']);
    for (const mark of [0, 1, 9]) expect(at('python', text(mark))).toBeUndefined();
  });

  it('in Go', () => {
    expect(at('go', 'func TestA(t *testing.T) {\n\tx()<<\n}\n')).toEqual(['TestA']);
    expect(at('go', 'func BenchmarkA(b *testing.B) {<<\n}\n')).toEqual(['BenchmarkA']);
    expect(at('go', 'func TestA(t *testing.T) {\n}\n<<\n')).toBeUndefined();
    expect(at('go', 'func Testing() {\n\tx()<<\n}\n')).toBeUndefined();
    expect(at('go', 'func TestA(t *testing.T) {\n}\nfunc help() {<<\n}')).toBeUndefined();
  });

  it('in Rust', () => {
    const text = (attribute: string) =>
      `fn x() {}\nmod tests {\n    mod deep {\n        ${attribute}\n        #[ignore]\n        async fn a() {\n            x();<<\n        }\n    }\n}`;
    expect(at('rust', text('#[tokio::test(flavor = "x")]'))).toEqual(['tests', 'deep', 'a']);
    expect(at('rust', text('#[test]'))).toEqual(['tests', 'deep', 'a']);
    expect(at('rust', text('#[inline]'))).toBeUndefined();
  });

  it("in Node.js's own runner", () => {
    const body = "describe('all', () => {\n  it('does (this)', () => {\n    x();<<\n  });\n});";
    expect(at('javascript', `import { it } from 'node:test';\n${body}`)).toEqual(['does (this)']);
    expect(at('typescript', `import { it } from 'vitest';\n${body}`)).toBeUndefined();
  });

  it('in no other language', () => {
    expect(at('java', '@Test void a() {<<}')).toBeUndefined();
  });
});
