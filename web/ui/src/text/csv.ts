/** A line of a table; a text that a spreadsheet would take for a formula begins with `'`. */
export function csvLine(
  fields: readonly (string | number | bigint | boolean | null | undefined)[],
): string {
  const told = fields.map((field) => {
    if (field === null || field === undefined) return '';
    if (typeof field !== 'string') return String(field);
    const text = /^[=+\-@\t\r]/.test(field) ? `'${field}` : field;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${told.join(',')}\n`;
}
