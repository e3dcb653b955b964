/** A field, in quotes where it has signs that part fields. */
function field(value: string | number): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows of fields as text. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return `${rows.map((row) => row.map(field).join(',')).join('\n')}\n`;
}
