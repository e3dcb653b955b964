import { expect, it } from 'vitest';
import { type Place, resolved } from './variables.ts';

const PLACE: Place = {
  folders: [
    { name: 'app', path: '/w/app' },
    { name: 'lib', path: '/w/lib' },
  ],
  file: '/w/app/src/a.b.c',
  line: 7,
  home: '/home/me',
  environment: { A: '1' },
  setting: (name) => (name === 'my.port' ? 80 : undefined),
};

it('has the values of VS Code', () => {
  const values = {
    '${workspaceFolder}/x': '/w/app/x',
    '${workspaceFolder:lib}': '/w/lib',
    '${workspaceFolderBasename}': 'app',
    '${file}': '/w/app/src/a.b.c',
    '${relativeFile}': 'src/a.b.c',
    '${relativeFileDirname}': 'src',
    '${fileDirname}': '/w/app/src',
    '${fileBasename}:${lineNumber}': 'a.b.c:7',
    '${fileBasenameNoExtension}${fileExtname}': 'a.b.c',
    '${userHome}': '/home/me',
    '${env:A}${env:B}': '1',
    '${config:my.port}': '80',
    plain: 'plain',
  };
  for (const [text, value] of Object.entries(values)) expect(resolved(text, PLACE)).toBe(value);
});

it('names those that have none', () => {
  expect(() => resolved('${command:pick} ${file} ${input:x}', PLACE)).toThrow(
    /^\$\{command:pick\}, \$\{input:x\} has no value here/,
  );
  const { file: _, ...nowhere } = PLACE;
  expect(() => resolved('${fileBasename}', nowhere)).toThrow(/fileBasename.*open the file/);
});
